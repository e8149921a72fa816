"""What is stored comes back as it was, or is said to be damaged or absent."""

import io
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tts_pipeline.durable import whole, write_whole
from tts_pipeline.errors import BadSetting, DamagedFile, NotStored, StoreFailed
from tts_pipeline.store import CHUNK_BYTES, Store, address, checksum

KEY = "clips/ab/cd.flac"


@pytest.fixture(params=["folder", "file URL", "memory"])
def store(request, tmp_path) -> Store:
    places = {"folder": tmp_path / "store", "file URL": (tmp_path / "store").as_uri(), "memory": "memory:///"}
    return Store.open(places[request.param])


def test_what_was_put_comes_back(store):
    summed = store.put(KEY, b"sound")
    assert summed == checksum(b"sound")
    assert store.get(KEY, summed) == store.get(KEY) == b"sound"


def test_a_file_is_put_and_read_piece_by_piece(store):
    data = os.urandom(3 * CHUNK_BYTES + 5)
    assert store.put(KEY, io.BytesIO(data)) == checksum(data)
    chunks = list(store.chunks(KEY))
    assert b"".join(chunks) == data
    assert store.get(KEY, checksum(data)) == data


def test_an_empty_file_is_a_file(store):
    assert store.put(KEY, io.BytesIO()) == checksum(b"")
    assert store.has(KEY)
    assert list(store.chunks(KEY)) == []


def test_putting_again_replaces_what_was_there(store):
    store.put(KEY, b"damaged")
    store.put(KEY, b"sound")
    assert store.get(KEY) == b"sound"


def test_what_is_absent_is_not_stored(store):
    assert not store.has(KEY)
    for read in (lambda: store.get(KEY), lambda: list(store.chunks(KEY))):
        with pytest.raises(NotStored, match=KEY):
            read()


def test_a_listing_knows_how_long_each_is_and_when_it_was_written(store):
    before = time.time() - 1  # some stores count whole ticks
    store.put(KEY, b"sound")
    store.put("items/ab/cd.json", b"words and more words")
    found = {entry.key: entry for entry in store.entries()}
    assert {key: entry.size for key, entry in found.items()} == {KEY: 5, "items/ab/cd.json": 20}
    assert all(before <= entry.modified_at <= time.time() + 1 for entry in found.values())
    assert [entry.key for entry in store.entries("clips")] == [KEY]


def test_many_are_deleted_at_once_and_some_may_be_gone_already(store):
    keys = [f"clips/ab/{number}.flac" for number in range(1500)]
    for key in [*keys[::100], KEY]:
        store.put(key, b"sound")
    store.delete_all(keys)
    store.delete_all([])
    assert list(store.list()) == [KEY]


def test_deleting_twice_is_no_error(store):
    store.put(KEY, b"sound")
    store.delete(KEY)
    store.delete(KEY)
    assert not store.has(KEY)


def test_keys_are_listed_by_folder(store):
    keys = {address("clips", checksum(bytes([n])), ".flac") for n in range(50)}
    for key in (*keys, "chapters/ab/cd.aac", "manifests/x.json"):
        store.put(key, b"1")
    assert set(store.list("clips")) == keys
    assert set(store.list()) == keys | {"chapters/ab/cd.aac", "manifests/x.json"}
    assert list(store.list("nothing")) == []


def test_a_damaged_file_is_noticed(tmp_path):
    store = Store.open(tmp_path)
    summed = store.put(KEY, b"sound")
    (tmp_path / KEY).write_bytes(b"sounD")
    with pytest.raises(DamagedFile, match=KEY):
        store.get(KEY, summed)
    (tmp_path / KEY).write_bytes(b"")
    with pytest.raises(DamagedFile):
        store.get(KEY, summed)


def test_a_write_that_fails_half_way_leaves_what_was_there(tmp_path):
    class Broken(io.BytesIO):
        def read(self, size=-1):
            if self.tell():
                raise OSError("no more")
            return super().read(10)

    store = Store.open(tmp_path)
    store.put(KEY, b"old")
    with pytest.raises(StoreFailed, match=KEY):
        store.put(KEY, Broken(bytes(1000)))
    assert store.get(KEY) == b"old"
    assert list(store.list()) == [KEY]


def test_writers_of_the_same_key_do_not_disturb_each_other(tmp_path):
    store, contents = Store.open(tmp_path), [bytes([n]) * 100_000 for n in range(8)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda content: store.put(KEY, content), contents * 20))
    assert store.get(KEY) in contents
    assert list(store.list()) == [KEY]


def test_sync_reaches_files_and_every_folder_above_them(store, tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr("tts_pipeline.store.sync_file", synced.append)
    monkeypatch.setattr("tts_pipeline.store.sync_folder", synced.append)
    for key in (KEY, "clips/ab/ce.flac"):
        store.put(key, b"sound")
    store.sync([KEY, "clips/ab/ce.flac"])
    root = tmp_path / "store"
    expected = [root / KEY, root / "clips/ab/ce.flac", root / "clips/ab", root / "clips", root]
    assert synced == (expected if root.exists() else [])


def test_sync_of_what_is_absent_says_so(tmp_path):
    store = Store.open(tmp_path)
    store.put(KEY, b"sound")
    store.sync([KEY])
    with pytest.raises(NotStored):
        store.sync(["clips/zz/zz.flac"])


def test_a_relative_folder_is_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = Store.open("a/b c/é")
    store.put(KEY, b"sound")
    store.sync([KEY])
    assert (tmp_path / "a/b c/é" / KEY).read_bytes() == b"sound"


@pytest.mark.parametrize("place", ["nonsense://somewhere", "az://", "ftp://host/folder"])
def test_a_place_that_is_no_store_is_a_bad_setting(place):
    with pytest.raises(BadSetting, match="store"):
        Store.open(place)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="this system has no folder where nobody can make another")
def test_a_folder_that_cannot_be_made_now_may_be_there_later():
    with pytest.raises(StoreFailed, match="/proc/nowhere"):
        Store.open("/proc/nowhere/store")


def test_a_folder_that_is_a_file_is_a_bad_setting(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting):
        Store.open(tmp_path / "file" / "store")


def test_buckets_are_opened_by_url():
    for url in ("s3://bucket/path", "gs://bucket/path"):
        Store.open(url)


@pytest.mark.parametrize("key", ["../x", "clips//x"])
def test_a_key_that_leads_elsewhere_is_refused(store, key):
    with pytest.raises(StoreFailed):
        store.put(key, b"1")


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "new folder" / "book.vtt"
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, ["half\n", "\ud800"])
    assert list(path.parent.iterdir()) == []
    write_whole(path, ["one\n", "two é\n"])
    assert path.read_bytes() == "one\ntwo é\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_what_is_being_written_is_hidden_and_beside_its_place(tmp_path):
    with whole(tmp_path / "book") as partial:
        partial.write_text("x")
        assert partial.name.startswith(".")
        assert partial.parent == Path(tmp_path)


def test_a_folder_that_vanishes_is_away_and_is_not_made_anew_behind_its_back(tmp_path):
    store = Store.open(tmp_path / "store")
    store.put(KEY, b"sound")
    aside = (tmp_path / "store").rename(tmp_path / "aside")
    for action in (lambda: store.put(KEY, b"1"), lambda: store.get(KEY), lambda: store.has(KEY)):
        with pytest.raises(StoreFailed, match="there is no such folder"):
            action()
    assert not (tmp_path / "store").exists()
    aside.rename(tmp_path / "store")
    assert store.get(KEY) == b"sound"
