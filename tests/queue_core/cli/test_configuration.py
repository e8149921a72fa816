"""A setting comes from a flag, the environment, the file or its default, in this order."""

import stat

import pytest

from queue_core import TaskState
from queue_core.backoff import backoff
from queue_core.cli.settings import LAYERS, Settings


def listed(told, *words: str) -> dict[str, tuple]:
    found = told(*words, "config", "list")
    return {row["key"]: (row["value"], row["origin"]) for row in found["settings"]}


def test_the_words_of_the_document_do_what_it_says(queuectl, folder):
    queuectl("config", "set", "max-retries", "5")
    queuectl("config", "set", "backoff-base", "2")
    assert (folder / "queuectl.toml").read_text() == "max-retries = 5\nbackoff-base = 2\n"
    assert queuectl("config", "get", "max-retries").stdout == "5\n"
    assert queuectl("config", "get", "backoff_base").stdout == "2\n"


def test_the_delay_after_an_attempt_is_the_base_to_its_power():
    config = Settings(backoff_base=3).queue_config()
    assert [backoff(attempt, config) for attempt in (1, 2, 3, 100)] == [3, 9, 27, 3600]


def test_retries_are_attempts_after_the_first():
    assert Settings(max_retries=3).queue_config().default_max_attempts == 4
    assert Settings(max_retries=0).queue_config().default_max_attempts == 1


def test_every_setting_reaches_the_queue():
    config = Settings(
        database_url="sqlite:///x.db", max_retry_delay="2m", jitter=True, visibility_timeout=9, max_pending=7,
        retention_completed=1, retention_cancelled=2, retention_discarded=3, poll_interval=4, sqlite_synchronous="OFF",
    ).queue_config()  # fmt: skip
    assert (config.database_url, config.max_retry_delay, config.retry_jitter) == ("sqlite:///x.db", 120, True)
    assert (config.default_visibility_timeout, config.max_pending, config.poll_interval) == (9, 7, 4)
    assert config.retention == {TaskState.COMPLETED: 1, TaskState.CANCELLED: 2, TaskState.DISCARDED: 3}
    assert config.sqlite_synchronous == "OFF"


def test_each_layer_lies_over_the_next(told, monkeypatch, folder):
    assert listed(told)["max-retries"] == (3, "default")
    (folder / "queuectl.toml").write_text('max-retries = 7\ndatabase-url = "sqlite:///file.db"\ntimeout = "5m"\n')
    assert listed(told)["max-retries"] == (7, "file")
    assert listed(told)["timeout"] == (300, "file")
    monkeypatch.setenv("QUEUECTL_MAX_RETRIES", "9")
    monkeypatch.setenv("QUEUECTL_DATABASE_URL", "sqlite:///environment.db")
    monkeypatch.setenv("QUEUECTL_JITTER", "")
    assert listed(told)["max-retries"] == (9, "environment")
    assert listed(told)["jitter"] == (False, "default")
    assert listed(told, "--database", "sqlite:///flag.db")["database-url"] == ("sqlite:///flag.db", "flag")


def test_the_file_may_be_elsewhere(told, queuectl, monkeypatch, folder):
    queuectl("--config", "made/new.toml", "config", "set", "max-retries", "1")
    monkeypatch.setenv("QUEUECTL_CONFIG", "made/new.toml")
    assert listed(told)["max-retries"] == (1, "file")
    assert told("config", "list")["file"] == str(folder / "made" / "new.toml")
    assert not (folder / "queuectl.toml").exists()


def test_a_list_says_where_the_file_is_and_whether_it_is(queuectl, folder):
    assert queuectl("config", "list").stdout.startswith(f"file: {folder / 'queuectl.toml'} (does not exist yet)\n")
    queuectl("config", "set", "timeout", "90s")
    shown = queuectl("config", "list").stdout.splitlines()
    assert shown[0] == f"file: {folder / 'queuectl.toml'}"
    rows = {row.split()[0]: row.split()[1:] for row in shown[3:]}
    assert list(rows) == list(LAYERS.keys())
    assert rows["timeout"] == ["1m30s", "file"]
    assert rows["retention-discarded"] == ["30d", "default"]
    assert rows["max-pending"] == ["default"]


def test_comments_and_order_survive(queuectl, folder):
    file = folder / "queuectl.toml"
    file.write_text("# ours\nmax-retries = 1  # few\n\n# slow machines\ntimeout = 60\n")
    file.chmod(0o640)
    queuectl("config", "set", "max-retries", "2")
    queuectl("config", "set", "jitter", "yes")
    queuectl("config", "unset", "timeout")
    assert file.read_text() == "# ours\nmax-retries = 2  # few\n\n# slow machines\njitter = true\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_a_new_file_is_its_owners_alone(queuectl, folder):
    queuectl("config", "set", "database-url", "postgresql://me:secret@host/db")
    assert stat.S_IMODE((folder / "queuectl.toml").stat().st_mode) == 0o600


def test_a_link_stays_a_link(queuectl, folder):
    (folder / "real.toml").write_text("")
    (folder / "queuectl.toml").symlink_to("real.toml")
    queuectl("config", "set", "workers", "2")
    assert (folder / "queuectl.toml").is_symlink()
    assert (folder / "real.toml").read_text() == "workers = 2\n"


def test_a_password_is_told_to_who_asks_for_it_only(queuectl, told):
    queuectl("config", "set", "database-url", "postgresql://me:secret@host/db")
    assert "secret" not in queuectl("config", "list").stdout
    assert listed(told)["database-url"] == ("postgresql://me:***@host/db", "file")
    assert queuectl("config", "get", "database-url").stdout == "postgresql://me:secret@host/db\n"


def test_a_setting_without_a_value_is_an_empty_line(queuectl, told):
    assert queuectl("config", "get", "timeout").stdout == "\n"
    assert told("config", "get", "timeout") is None
    assert told("config", "get", "poll-interval") == 1


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("max-retrys", "3", "there is no such setting: known are database-url, max-retries, backoff-base"),
        ("max-retries", "many", "max-retries: must be a whole number, not 'many'"),
        ("max-retries", "-1", "max-retries: must be at least 0, not '-1'"),
        ("backoff-base", "0.5", "backoff-base: must be at least 1, not '0.5'"),
        ("timeout", "soon", "timeout: 'soon' is no span of time: write 90, 30s, 5m, 2h, 7d or 1h30m\n"),
        ("poll-interval", "0", "poll-interval: must be more than 0, not '0'"),
        ("sqlite-synchronous", "SOME", "sqlite-synchronous: must be 'FULL', 'NORMAL' or 'OFF'"),
        ("database-url", "memory://", "database-url: a queue in memory would end with this command"),
        (
            "database-url",
            "banana",
            "database-url: 'banana' is no URL of a queue: write sqlite:///path.db or postgresql",
        ),
        ("database-url", "sqlite://x.db", "'sqlite://x.db' is no URL of a queue"),
        ("jitter", "perhaps", "jitter: must be true or false, not 'perhaps'"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_nothing_is_written(queuectl, folder, key, value, words):
    stderr = queuectl("config", "set", key, value, exit_code=2).stderr
    assert words in stderr
    assert stderr.startswith("queuectl: ")
    assert stderr.count("\n") == 1
    assert not (folder / "queuectl.toml").exists()


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("max-retrys = 3", "max-retrys in queuectl.toml: there is no such setting: max-retries perhaps?"),
        ("max_retrys = 3", "max_retrys in queuectl.toml: there is no such setting: max-retries perhaps?"),
        ("max-retries = 3\nmax_retries = 3", "max_retries in queuectl.toml: it is there twice, with - and with _"),
        (
            "[queue]\nmax-retries = 3",
            "queue in queuectl.toml: there is no such setting: known are database-url, max-retries",
        ),
        ("max-retries = 'x'", "max-retries in queuectl.toml: must be a whole number, not 'x'"),
        ("timeout = -1", "timeout in queuectl.toml: -1 is no span of time"),
        ("timeout = []", "timeout in queuectl.toml: "),
        ("database-url = 'banana'", "database-url in queuectl.toml: 'banana' is no URL of a queue"),
        ("max-retries = ", "queuectl.toml: is no TOML"),
        ("é = '\udcff'", "queuectl.toml: is no TOML"),
    ],
)
def test_a_file_that_makes_no_sense_is_one_line(queuectl, folder, written, words):
    (folder / "queuectl.toml").write_bytes(written.encode(errors="surrogateescape"))
    result = queuectl("list", exit_code=2)
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_bad_variable_is_one_line(queuectl, monkeypatch):
    monkeypatch.setenv("QUEUECTL_SIZE", "many")
    said = queuectl("list", exit_code=2).stderr
    assert said == "queuectl: QUEUECTL_SIZE: must be a whole number, not 'many'\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("QUEUECTL_MAX_RETRYS", "QUEUECTL_MAX_RETRYS: there is no such setting: QUEUECTL_MAX_RETRIES perhaps?"),
        ("QUEUECTL_XYZ", "QUEUECTL_XYZ: there is no such setting: known are QUEUECTL_BACKOFF_BASE"),
    ],
)
def test_a_variable_that_is_no_setting_is_refused_by_its_name(queuectl, monkeypatch, name, words):
    monkeypatch.setenv(name, "3")
    assert words in queuectl("list", exit_code=2).stderr


def test_a_variable_stands_for_the_database_as_the_flag_does(told, queuectl, monkeypatch):
    monkeypatch.setenv("QUEUECTL_DATABASE_URL", "sqlite:///one.db")
    monkeypatch.setenv("QUEUECTL_DATABASE", "sqlite:///other.db")
    assert listed(told)["database-url"] == ("sqlite:///other.db", "environment")
    monkeypatch.setenv("QUEUECTL_DATABASE", "banana")
    assert "queuectl: QUEUECTL_DATABASE: 'banana' is no URL" in queuectl("list", exit_code=2).stderr


@pytest.mark.parametrize("words", [["list"], ["config", "list"], ["config", "unset", "timeout"]])
def test_a_file_that_somebody_names_is_there(queuectl, monkeypatch, words):
    said = queuectl("--config", "new.toml", *words, exit_code=2).stderr
    assert said == "queuectl: --config: there is no file new.toml\n"
    monkeypatch.setenv("QUEUECTL_CONFIG", "new.toml")
    assert "QUEUECTL_CONFIG: there is no file new.toml" in queuectl(*words, exit_code=2).stderr


def test_a_bad_file_can_be_mended(queuectl, folder):
    (folder / "queuectl.toml").write_text("max-retries = 'x'\nmistyped = 1\n")
    queuectl("config", "set", "max-retries", "1")
    queuectl("config", "unset", "mistyped")
    assert (folder / "queuectl.toml").read_text() == "max-retries = 1\n"
    queuectl("config", "list")


def test_unset_of_what_was_not_set_is_done_already_but_not_of_what_there_is_not(queuectl, folder):
    queuectl("config", "unset", "timeout")
    assert not (folder / "queuectl.toml").exists()
    assert "known are" in queuectl("config", "unset", "mistyped", exit_code=2).stderr
    assert "known are" in queuectl("config", "get", "mistyped", exit_code=2).stderr
