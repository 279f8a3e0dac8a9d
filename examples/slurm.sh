#!/usr/bin/env bash
# All pairs of programs and tasks on a cluster with Slurm, in one of two ways (docs/cluster.md):
#
#   examples/slurm.sh parts 16 programs.py tasks     an array job of 16 parts, and one that puts them together
#   examples/slurm.sh ranks 4 programs.py tasks      an MPI job on 4 nodes, a rank on each
#
# A job that ended early goes on if the same is submitted again. With DRY_RUN=1 it prints what it would submit.
set -euo pipefail

[ $# -eq 4 ] || { sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2; }
way=$1 count=$2 programs=$3 tasks=$4
submit() {
    if [ -n "${DRY_RUN-}" ]; then
        printf '%s\n' "sbatch $*" >&2
        echo 1
    else
        sbatch --parsable "$@"
    fi
}
score="score $programs --tasks $tasks --all-pairs --resume"

case $way in
parts)
    part=$(submit --array="1-$count" --cpus-per-task=8 --time=4:00:00 --signal=TERM@60 \
        --wrap "arcl $score --part \$SLURM_ARRAY_TASK_ID/$count --journal part\$SLURM_ARRAY_TASK_ID.journal")
    journals=$(seq -f '--journal part%g.journal' -s ' ' "$count")
    submit --dependency="afterok:$part" --time=1:00:00 --wrap "arcl $score $journals --json scores.json --html scores.html"
    ;;
ranks)
    submit --nodes="$count" --ntasks-per-node=1 --exclusive --time=4:00:00 --signal=TERM@60 \
        --wrap "mpirun --map-by ppr:1:node --bind-to none arcl-mpi $score --journal job.journal --json scores.json --html scores.html"
    ;;
*)
    echo "there are parts and ranks, not $way" >&2
    exit 2
    ;;
esac
