"""Profiles that are not what they should be: named with the reason, never used, and programs run all the same."""
import copy
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from command import ARCL, PROGRAM, TASK, CommandTest
import synthetic_profile


class ProfileTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        """A real profile of the host with little in it, which takes less than a second."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "profile.json"
        command = [ARCL, "profile", "--quick", "--op", "rot90", "--device", "host", "--profile", str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        cls.text = path.read_text()
        cls.profile = json.loads(cls.text)

    def setUp(self):
        super().setUp()
        self.program = self.write("good.py", PROGRAM)
        self.task = self.write("good.json", TASK)
        self.environment.pop("ARCL_PROFILE", None)
        self.environment["XDG_CACHE_HOME"] = str(self.folder / "cache")
        self.environment["OCL_ICD_VENDORS"] = str(self.folder)  # no drivers: they would be tested, with cold caches
        self.cached = self.folder / "cache" / "arcl" / "profile.json"

    def run_with(self, profile):
        """Runs a program with a profile: it must work. Returns what was said."""
        path = profile if isinstance(profile, pathlib.Path) else self.write("profile.json", profile)
        done = self.accepted("run", self.program, "--in", self.task, "--profile", path)
        self.assertIn("as expected", done.stdout)
        return done.stderr

    def assert_rejected(self, profile, *reasons):
        said = self.run_with(profile)
        self.assertIn("the profile is not used", said)
        for reason in reasons:
            self.assertIn(reason, said)
        scored = self.accepted("score", self.program, "--tasks", self.folder / "good.json", "--profile",
                               profile if isinstance(profile, pathlib.Path) else self.folder / "profile.json")
        self.assertIn("tasks 1/1", scored.stdout)

    def changed(self, change):
        profile = copy.deepcopy(self.profile)
        change(profile)
        return profile


class Good(ProfileTest):
    def test_is_used_without_a_word(self):
        self.assertEqual(self.run_with(self.profile), "")

    def test_comparisons_are_measured_and_chosen_by(self):
        self.assertIn("similarity?", self.profile["devices"][0]["cases"])
        found = self.profile["devices"][0]["similarity"]
        self.assertEqual(list(found), ["host"])
        self.assertGreaterEqual(len(found["host"]["compare"]), 3)
        line = ("similar", self.program, "--tasks", self.folder / "good.json", "--quiet", "--profile")
        said = self.accepted(*line, self.write("profile.json", self.profile)).stdout
        self.assertIn("by host on host, chosen by measured costs", said)
        # What was written before comparisons were measured is as good as ever for all else.
        older = self.write("profile.json", self.changed(lambda p: p["devices"][0].pop("similarity")))
        self.assertEqual(self.run_with(older), "")
        self.assertNotIn("measured", self.accepted(*line, older).stdout)

    def interrupted(self, is_time):
        """`arcl profile` of the host, interrupted when it is time: its status, and the profile that it leaves."""
        path = self.folder / "interrupted.json"
        process = subprocess.Popen([ARCL, "profile", "--profile", path], env=self.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while not is_time(path):
            self.assertIsNone(process.poll())
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        status = process.wait(60)
        return status, json.loads(path.read_text()) if path.exists() else None

    def test_an_interrupted_one_is_kept_as_far_as_it_got(self):
        """What the host costs besides kernels is measured for more than a second, and is needed for everything else."""
        begin = time.monotonic()
        self.assertEqual(self.interrupted(lambda path: time.monotonic() > begin + 0.3), (-signal.SIGINT, None))
        status, profile = self.interrupted(lambda path: path.exists())
        self.assertEqual(status, 0)
        self.assertEqual([device["id"] for device in profile["devices"]], ["host"])

    def test_nothing_measured_is_nothing_to_talk_about(self):
        done = self.accepted("run", self.program, "--in", self.task)
        self.assertEqual(done.stderr, "")

    def test_is_found_in_the_cache_directory(self):
        self.cached.parent.mkdir(parents=True)
        self.cached.write_text(self.text)
        done = self.accepted("explain", self.program)
        self.assertIn("on this machine", done.stdout)

    def test_home_is_the_cache_directory_without_xdg(self):
        del self.environment["XDG_CACHE_HOME"]
        self.environment["HOME"] = str(self.folder)
        place = self.folder / ".cache" / "arcl"
        place.mkdir(parents=True)
        (place / "profile.json").write_text(self.text)
        self.assertIn("on this machine", self.accepted("explain", self.program).stdout)

    def test_goes_on_where_it_was_left(self):
        path = self.write("profile.json", self.text)
        self.accepted("profile", "--quick", "--op", "vmirror", "--device", "host", "--profile", path)
        costs = json.loads(path.read_text())["devices"][0]["costs"]
        for kernels in costs.values():
            self.assertLessEqual({"rot90", "vmirror_grid"}, set(kernels))
        self.assertEqual({"rot90?", "vmirror?", "similarity?"}, set(json.loads(path.read_text())["devices"][0]["cases"]))


class Identity(ProfileTest):
    """What a profile was measured on is part of it: any difference, and it is not used."""

    def test_every_member_counts(self):
        for member, words in [("platform", "the platform"), ("name", "the device"), ("driver", "the driver"),
                              ("kernels", "the kernels")]:
            with self.subTest(member=member):
                def change(profile):
                    profile["devices"][0]["identity"][member] += "x"
                self.assert_rejected(self.changed(change), "was not measured here", words, "arcl profile")

    def test_compute_units_count(self):
        def change(profile):
            profile["devices"][0]["identity"]["compute_units"] += 1
        self.assert_rejected(self.changed(change), "was not measured here", "the compute units")

    def test_the_format_counts(self):
        for wrong, reason in [(1, "has format 1"), (3, "has format 3"), (0, "has format 0"), ("2", "has no 'format'"),
                              (2.0, "has no 'format'")]:
            with self.subTest(format=wrong):
                self.assert_rejected(self.changed(lambda p: p.update(format=wrong)), reason)

    def test_a_member_that_is_missing(self):
        for member in self.profile["devices"][0]["identity"]:
            with self.subTest(member=member):
                def change(profile):
                    del profile["devices"][0]["identity"][member]
                self.assert_rejected(self.changed(change), "profile.json: devices[0].identity", f"'{member}'")

    def test_a_device_that_is_not_there(self):
        """The host's part is used; explain says what is not, and why."""
        def change(profile):
            profile["devices"].append(synthetic_profile.gpu("cl:7"))
        self.cached.parent.mkdir(parents=True)
        self.cached.write_text(json.dumps(self.changed(change)))
        done = self.accepted("explain", self.program, "--lanes", "100000")
        self.assertIn("What was measured of cl:7 is not used: no such device is there", done.stdout.replace("\n", " "))
        self.assertIn("lanes run on the host", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^cl:7 +not used")

    def test_explain_does_not_use_what_was_not_measured_here(self):
        def change(profile):
            profile["devices"][0]["identity"]["kernels"] = "other"
        self.cached.parent.mkdir(parents=True)
        self.cached.write_text(json.dumps(self.changed(change)))
        self.refused("explain", self.program, says=["the kernels: 'other' was measured"])
        # For who asks for it by name it is another machine's.
        done = self.accepted("explain", self.program, "--profile", self.cached)
        self.assertIn("for the machine that", done.stdout)


class Damaged(ProfileTest):
    def test_cut_off_anywhere(self):
        step = max(1, len(self.text) // 30)
        for end in range(0, len(self.text) - 2, step):
            with self.subTest(bytes=end):
                self.assertIn("the profile is not used", self.run_with(self.text[:end]))

    def test_bytes_flipped_anywhere(self):
        """It is refused or, where the byte is within a name or a digit, used; it never breaks anything."""
        step = max(1, len(self.text) // 30)
        for at in range(0, len(self.text), step):
            with self.subTest(byte=at):
                self.run_with(self.text[:at].encode() + bytes([self.text.encode()[at] ^ 0x15]) +
                              self.text[at + 1:].encode())

    def numbers(self):
        """(path in words, how to set it) of one number of every kind."""
        first = next(iter(self.profile["devices"][0]["costs"]))
        kernel = next(iter(self.profile["devices"][0]["costs"][first]))
        place = f"devices[0].costs.{first}.{kernel}"

        def cost(name):
            return lambda p, value: p["devices"][0]["costs"][first][kernel].update({name: value})

        def point(n):
            def change(p, value):
                p["devices"][0]["costs"][first][kernel]["launch"][0][n] = value
            return change
        for name in ("per_element", "least_elements", "most_elements", "correction", "samples"):
            yield place, name, cost(name)
        yield place, "launch", point(0)
        yield place, "launch", point(1)
        for name in synthetic_profile.OVERHEADS:
            yield "devices[0]", name, lambda p, value, name=name: p["devices"][0]["overheads"].update({name: value})
        yield "devices[0]", "chunk_words", lambda p, value: p["devices"][0].update(chunk_words=value)
        yield ("devices[0].identity", "compute_units",
               lambda p, value: p["devices"][0]["identity"].update(compute_units=value))

    def test_numbers_that_nobody_measures(self):
        values = (-1, -1e-9, 1e300, "3", None, True, [], {})
        for n, (place, name, change) in enumerate(self.numbers()):
            for value in (values[n % 3], values[3 + n % 5]):  # tests/lib/profile_test.c tries all of them
                with self.subTest(place=place, name=name, value=value):
                    profile = copy.deepcopy(self.profile)
                    change(profile, value)
                    said = self.run_with(profile)
                    self.assertIn("the profile is not used", said)
                    self.assertIn(f"profile.json: {place} ", said)
                    self.assertIn(f"'{name}'", said)

    def test_numbers_that_are_none(self):
        texts = ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "0x10", "00", "1.", "+1")
        for n, (_, name, change) in enumerate(self.numbers()):
            for text in (texts[n % 3], texts[3 + n % 6]):
                with self.subTest(name=name, number=text):
                    profile = copy.deepcopy(self.profile)
                    change(profile, "MARK")
                    said = self.run_with(json.dumps(profile).replace('"MARK"', text))
                    self.assertIn("the profile is not used", said)
                    self.assertIn("profile.json: line 1", said)

    def test_a_correction_and_a_speedup_that_make_no_sense(self):
        first = next(iter(self.profile["devices"][0]["costs"]))
        kernel = next(iter(self.profile["devices"][0]["costs"][first]))
        self.assert_rejected(self.changed(lambda p: p["devices"][0]["costs"][first][kernel].update(correction=0)),
                             "correction of 0")
        self.assert_rejected(self.changed(lambda p: p["devices"][0]["overheads"].update(speedup=0.5)), "speedup below 1")

    def test_curves_that_are_none(self):
        first = next(iter(self.profile["devices"][0]["costs"]))
        kernel = next(iter(self.profile["devices"][0]["costs"][first]))
        for curve, reason in [([], "an empty curve"), ([[1]], "no pair"), ([1, 2], "no pair"), ({}, "no list"),
                              ([[1, 5], [1, 6]], "falls"), ([[1, 5], [2, 4]], "falls"), ([[2, 5], [1, 6]], "falls"),
                              ([[n, n] for n in range(100)], "more than")]:
            with self.subTest(curve=curve):
                def change(profile):
                    profile["devices"][0]["costs"][first][kernel]["launch"] = curve
                self.assert_rejected(self.changed(change), f"devices[0].costs.{first}.{kernel}", reason)

    def test_measurements_that_are_none(self):
        first = next(iter(self.profile["devices"][0]["costs"]))
        for measured, reason in [([], "no list 'measured'"), ({}, "no list 'measured'"), ([[1, 2]], "not of three numbers"),
                                 ([3], "not of three numbers"), ([[1, 2, "3"]], "no number 'measured'"),
                                 ([[0, 0, 5]], "no lanes or no time"),
                                 ([[1, 1, 0]], "no lanes or no time"), ([[1, -1, 5]], "which no measurement gives")]:
            with self.subTest(measured=measured):
                def change(profile):
                    profile["devices"][0]["costs"][first]["rot90"] = {"measured": measured}
                self.assert_rejected(self.changed(change), f"devices[0].costs.{first}.rot90", reason)

    def test_members_that_are_missing_or_others(self):
        for change, reason in [
            (lambda p: p.pop("devices"), "has no devices"),
            (lambda p: p.update(devices=[]), "has no devices"),
            (lambda p: p.update(devices={}), "has no devices"),
            (lambda p: p.update(devices=[1]), "devices[0] has no text 'id'"),
            (lambda p: p.update(devices=p["devices"] * 9), "more than"),
            (lambda p: p.update(devices=p["devices"] * 2), "devices[1] is one host too many"),
            (lambda p: p["devices"].insert(0, synthetic_profile.gpu()), "devices[0] is not the host"),
            (lambda p: p["devices"].extend([synthetic_profile.gpu()] * 2), "devices[2] has the id of another device"),
            (lambda p: p.pop("created"), "has no text 'created'"),
            (lambda p: p["devices"][0].pop("overheads"), "devices[0] has no number"),
            (lambda p: p["devices"][0].pop("costs"), "devices[0] has no object 'costs'"),
            (lambda p: p["devices"][0].update(costs={}), "has no costs"),
            (lambda p: p["devices"][0]["costs"].update(a={}, b={}, c={}), "one variant too many"),
            (lambda p: p["devices"][0].update(costs={"x" * 100: {}}), "too long"),
            (lambda p: p["devices"][0].update(costs={"any": {"no_such_kernel": {}}}), "is no kernel of this arcl"),
            (lambda p: p["devices"][0].update(cases=[3]), "a case that is no name"),
            (lambda p: p["devices"][0].update(similarity=[]), "a 'similarity' that is no object"),
            (lambda p: p["devices"][0].update(similarity=None), "a 'similarity' that is no object"),
            (lambda p: p["devices"][0]["similarity"].update(magic={}), "devices[0].similarity.magic is no variant"),
            (lambda p: p["devices"][0]["similarity"].update(host=3), "devices[0].similarity.host has no number 'first'"),
            (lambda p: p["devices"][0]["similarity"]["host"].pop("compare"), "devices[0].similarity.host has no list"),
            (lambda p: p["devices"][0]["similarity"]["host"].update(compare=[]), "an empty curve"),
            (lambda p: p["devices"][0]["similarity"]["host"].update(compare=[[1, 2], [2, 1]]), "falls"),
            (lambda p: p["devices"][0].update(id="h" * 100), "too long"),
        ]:
            with self.subTest(reason=reason):
                self.assert_rejected(self.changed(change), "profile.json: ", reason)

    def test_texts_that_are_no_profile(self):
        deep = "[" * 100000
        for text, reason in [("", "line 1"), ("{}", "has no 'format'"), ("[]", "has no 'format'"), ("3", "line 1"),
                             (deep, "line 1"), ('{"a":' * 5000, "line 1"), (b"\xff\xfe\0", "line 1"),
                             ('{"format": 2, "format": 2}', "duplicate object key"),
                             (self.text + "x", "end of file expected"), ("\0", "line 1")]:
            with self.subTest(text=text[:20]):
                self.assert_rejected(text, "profile.json: ", reason)

    def test_a_key_that_is_there_twice(self):
        self.assert_rejected(self.text.replace('"chunk_words"', '"id": "host", "chunk_words"', 1), "duplicate object key")

    def test_huge(self):
        self.assert_rejected(self.text + " " * (20 << 20), "too large for a profile")

    def test_terminals_are_not_driven(self):
        profile = self.changed(lambda p: p["devices"][0]["identity"].update(name="a\x1b[31mb"))
        self.assertNotIn("\x1b", self.run_with(profile))
        done = self.accepted("explain", self.program, "--profile", self.folder / "profile.json")
        self.assertNotIn("\x1b", done.stdout)


class Files(ProfileTest):
    def test_what_is_no_file(self):
        (self.folder / "folder").mkdir()
        for path, reason in [("folder", "Is a directory"), ("missing.json", "No such file")]:
            self.assert_rejected(self.folder / path, reason)

    def test_what_is_no_file_in_the_cache_directory(self):
        self.cached.mkdir(parents=True)
        done = self.accepted("run", self.program, "--in", self.task)
        self.assertIn("Is a directory", done.stderr)

    def test_what_may_not_be_read(self):
        path = self.write("profile.json", self.text)
        path.chmod(0)
        try:
            path.read_bytes()
        except PermissionError:
            self.assert_rejected(path, "Permission denied")
        else:
            self.skipTest("whoever runs this may read everything")

    def test_quiet_is_quiet(self):
        done = self.accepted("run", self.program, "--in", self.task, "--profile", "missing.json", "--quiet")
        self.assertEqual(done.stderr, "")

    def test_without_a_home(self):
        for name in ("HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)
        self.assertEqual(self.accepted("run", self.program, "--in", self.task).stderr, "")
        self.refused("profile", "--quick", "--op", "rot90", "--device", "host", says=["--profile FILE"])

    def test_where_nothing_can_be_written(self):
        """It is said before anything takes long."""
        self.write("file", "")
        self.refused("profile", "--device", "host", "--profile", self.folder / "file" / "profile.json",
                     says=["cannot be written", "Not a directory"])

    def test_a_file_that_is_no_profile_is_not_overwritten(self):
        self.refused("profile", "--quick", "--op", "rot90", "--device", "host", "--profile", self.program,
                     says=["--fresh replaces it"])
        self.assertEqual(self.program.read_text(), PROGRAM)
        self.accepted("profile", "--quick", "--op", "rot90", "--device", "host", "--profile", self.program, "--fresh")
        self.assertEqual(json.loads(self.program.read_text())["format"], 2)

    def test_a_damaged_one_in_the_cache_directory_is_replaced(self):
        self.cached.parent.mkdir(parents=True)
        self.cached.write_text(self.text[:1000])
        done = self.accepted("profile", "--quick", "--op", "rot90", "--device", "host")
        self.assertIn("is replaced", done.stderr)
        self.assertEqual(json.loads(self.cached.read_text())["format"], 2)
        self.assertEqual([self.cached], list(self.cached.parent.glob("profile*")))  # nothing temporary is left


if __name__ == "__main__":
    unittest.main()
