"""Two "hosts" on one machine: network namespaces, joined by a cable of their own, each with a name of its own. Processes of mpirun
on one see those on the other by addresses of that cable alone. A test is skipped where such things may not be made."""
import os
import pathlib
import shutil
import subprocess
import unittest

ADDRESSES = ("192.0.2.1", "192.0.2.2")  # for documentation: no machine has them


def made(*command):
    return subprocess.run(command, capture_output=True).returncode == 0


class Hosts:
    def __init__(self, folder):
        self.names = [f"arcl-{os.getpid()}-{n}" for n in range(2)]
        self.cables = [f"arcl{os.getpid() % 1000000}{end}" for end in "ab"]
        self.agent = pathlib.Path(folder) / "agent"
        self.hostfile = pathlib.Path(folder) / "hosts"
        if not shutil.which("ip") or not all([made("ip", "netns", "add", name) for name in self.names]) or not self.join():
            self.remove()
            raise unittest.SkipTest("network namespaces cannot be made here")
        # What mpirun gives instead of `ssh`: the host, then a command for its shell.
        self.agent.write_text("#!/bin/sh\nhost=$1\nshift\ncase $host in\n" + "".join(
            f"{address}) name={name} ;;\n" for address, name in zip(ADDRESSES, self.names)) +
            'esac\nexec ip netns exec "$name" unshare --uts sh -c "hostname $name && $*"\n')
        self.agent.chmod(0o755)
        self.hostfile.write_text("".join(f"{address} slots=4\n" for address in ADDRESSES))

    def join(self):
        """The cable, its ends and their addresses."""
        if not made("ip", "link", "add", self.cables[0], "type", "veth", "peer", "name", self.cables[1]):
            return False
        for name, cable, address in zip(self.names, self.cables, ADDRESSES):
            inside = "ip", "-n", name
            if not (made("ip", "link", "set", cable, "netns", name) and made(*inside, "addr", "add", f"{address}/24", "dev", cable) and
                    made(*inside, "link", "set", cable, "up") and made(*inside, "link", "set", "lo", "up")):
                return False
        return made("ip", "netns", "exec", self.names[0], "unshare", "--uts", "true")

    def remove(self):
        for name in self.names:
            made("ip", "netns", "del", name)  # and its end of the cable, with the other
        made("ip", "link", "del", self.cables[0])

    def command(self, ranks, *command):
        """mpirun, on the first host, with as many ranks on each of them."""
        # Others of Open MPI's ways to do one-sided operations refuse a network such as this.
        settings = {"osc": "pt2pt", "plm_rsh_agent": self.agent, "oob_tcp_if_include": "192.0.2.0/24", "btl_tcp_if_include": "192.0.2.0/24"}
        words = ["mpirun", "-n", str(ranks), "--hostfile", str(self.hostfile), "--map-by", "node", "--bind-to", "none"]
        for name, value in settings.items():
            words += ["--mca", name, str(value)]
        return ["ip", "netns", "exec", self.names[0], "unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.names[0], *words,
                *map(str, command)]

    def carried(self):
        """Bytes that went through the cable, so far."""
        statistics = f"/sys/class/net/{self.cables[0]}/statistics/tx_bytes"
        found = subprocess.run(["ip", "netns", "exec", self.names[0], "cat", statistics], capture_output=True, text=True)
        return int(found.stdout)
