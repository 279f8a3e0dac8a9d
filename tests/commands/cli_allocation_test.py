"""Every command when memory runs out: a sentence and a status, or the right output; never a crash, half a file, or a vector
that is said to have failed. Some allocations of each command fail here; `tests/support/failing.py` tries all."""
import command
import failing


class NoMemory(failing.FailingTest):
    def test_one_allocation_fails(self):
        tries = sum(self.tried(arguments, "memory", most=20) for arguments in failing.COMMANDS)
        self.assertGreater(tries, 200)

    def test_all_allocations_fail_from_one_on(self):
        for arguments in failing.COMMANDS:
            self.tried(arguments, "memory", most=4, on=1)

    def test_vectors_do_not_fail_for_want_of_memory(self):
        self.tried(("check", "v.jsonl", *failing.HOST), "memory")

    def test_a_battery_for_which_there_is_no_memory(self):
        self.tried(("battery", "p.py", "--out", "o.py"), "memory")


if __name__ == "__main__":
    command.main()
