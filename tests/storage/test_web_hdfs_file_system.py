"""HDFS over HTTP."""

from functools import partial

import pytest
import requests
from fsspec.implementations.webhdfs import WebHDFS

from windrow.storage.file_systems import file_system_of

pytestmark = pytest.mark.hadoop


@pytest.fixture
def folder(hdfs, tmp_path):
    return f"{hdfs.web_uri}/{tmp_path.name}"


def answering(monkeypatch, answer):
    """Have a data node give this answer once to who reads."""
    send, left = requests.Session.send, [answer]

    def answered(self, request, **options):
        found = send(self, request, **options)
        if left and "op=OPEN" in request.url and not found.is_redirect:
            left.pop()(found)
        return found

    monkeypatch.setattr(requests.Session, "send", answered)


def refuses(answer):
    answer.status_code, answer._content = 403, b"{'RemoteException': 'access denied'}"


def is_short(answer):
    answer._content = answer.content[:-1]


@pytest.mark.parametrize(("answer", "words"), [(refuses, "403"), (is_short, "of 8 bytes from 0 on there are 7")])
def test_what_a_data_node_does_not_give_is_no_content(folder, monkeypatch, answer, words):
    """An error of its own, or less than was asked for."""
    files = file_system_of(folder)
    files.write(f"{folder}/a", b"12345678")
    answering(monkeypatch, answer)
    with pytest.raises(OSError, match=words) as raised:
        files.read(f"{folder}/a")
    assert raised.value.filename == f"{folder}/a"
    assert files.read(f"{folder}/a") == b"12345678"


@pytest.mark.parametrize("name", ["a?b", "a#b", "a%20b", "a b*", "[a]"])
def test_names_may_have_any_character(folder, name):
    """They are names, and no part of a URI that means something."""
    files = file_system_of(folder)
    pending = files.begin(f"{folder}/hidden/{name}", f"{folder}/{name}")
    pending.file.write(name.encode())
    files.commit(pending.close_for_commit(), f"{folder}/{name}")
    assert [each.path for each in files.list_status(folder) if not each.is_folder] == [f"{folder}/{name}"]
    assert files.read(f"{folder}/{name}") == name.encode()


def test_a_file_is_replaced_in_one_step(folder, monkeypatch):
    """Whoever dies there leaves the old one or the new one."""
    files, called, call = file_system_of(folder), [], WebHDFS._call
    files.write(f"{folder}/a", b"old")

    def counted(self, op, *given, **options):
        called.append(op)
        return call(self, op, *given, **options)

    monkeypatch.setattr(WebHDFS, "_call", counted)
    files.write(f"{folder}/a", b"new")
    assert "DELETE" not in called
    assert called.count("RENAME") == 1
    assert files.read(f"{folder}/a") == b"new"
    assert files.names(folder) == ["a"]


def test_no_request_waits_for_ever(folder):
    """A server that takes a connection and says nothing ends the job at last."""
    files, _ = file_system_of(folder)._at(folder)
    assert isinstance(files.session.request, partial)
    assert files.session.request.keywords["timeout"] > 10
    again, _ = file_system_of(folder)._at(folder)
    assert not isinstance(again.session.request.func, partial)
