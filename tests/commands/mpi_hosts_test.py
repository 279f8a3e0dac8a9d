"""`arcl-mpi` over two hosts that share nothing but a network and files: the results of one process."""
import re
import subprocess

import ranks
import score_job
import two_hosts
from command import CommandTest, main


class TwoHosts(CommandTest):
    files = ("o.json", "o.html", "s.json")

    def outputs(self):
        found = [score_job.comparable(self.folder / name) for name in self.files]
        for name in self.files:
            (self.folder / name).unlink()
        return found

    def test_score(self):
        job = *score_job.write(self.folder), "--json", "o.json", "--html", "o.html", "--submission", "s.json", "--threads", "1"
        done = self.arcl(*job)
        expected = done.returncode, done.stdout, self.outputs()
        hosts = two_hosts.Hosts(self.folder)
        self.addCleanup(hosts.remove)
        done = subprocess.run(hosts.command(4, ranks.ARCL_MPI, *job), capture_output=True, text=True, cwd=self.folder, timeout=250,
                              env=ranks.environment(OMPI_MCA_odls_base_sigkill_timeout="0"))
        self.assertEqual((done.returncode, done.stdout), expected[:2], done.stderr)
        self.assertEqual(self.outputs(), expected[2])
        self.assertGreater(hosts.carried(), 10000)
        report = subprocess.run(hosts.command(2, ranks.ARCL_MPI, *job, "--report"), capture_output=True, text=True, cwd=self.folder,
                                timeout=250, env=ranks.environment(OMPI_MCA_odls_base_sigkill_timeout="0"))
        rows = re.findall(r"(?m)^ +\d+ (arcl-\S+) +host ", report.stderr)
        self.assertEqual(sorted(rows), hosts.names)


if __name__ == "__main__":
    ranks.require()
    main()
