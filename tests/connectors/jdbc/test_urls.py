"""URLs of databases."""

import pickle

import pytest

from windrow.connectors.jdbc import urls
from windrow.connectors.jdbc.sqlalchemy_package import MissingDatabasePackageError
from windrow.connectors.jdbc.urls import connection_url, shown
from windrow.errors import ConfigurationError


def of(url, driver=None, user=None, password=None):
    return connection_url(url, driver, user, password).render_as_string(hide_password=False)


@pytest.mark.parametrize(
    ("jdbc", "expected"),
    [
        ("jdbc:postgresql://db.example:5433/shop", "postgresql+psycopg://db.example:5433/shop"),
        ("jdbc:postgresql://[::1]:5433/shop", "postgresql+psycopg://[::1]:5433/shop"),
        ("jdbc:postgresql:shop", "postgresql+psycopg://localhost/shop"),
        ("jdbc:postgresql:///shop", "postgresql+psycopg://localhost/shop"),
        ("jdbc:postgresql://h/a%20b?user=me&password=s%26t", "postgresql+psycopg://me:s%26t@h/a b"),
        ("jdbc:postgresql://a:1,b:2/shop", "postgresql+psycopg:///shop?host=a%3A1&host=b%3A2"),
        ("jdbc:postgresql://h/d?ssl=true&ApplicationName=w", "postgresql+psycopg://h/d?application_name=w&sslmode=verify-full"),
        ("jdbc:postgresql://h/d?currentSchema=s&reWriteBatchedInserts=true", "postgresql+psycopg://h/d?options=-csearch_path%3Ds"),
        ("jdbc:sqlite:/data/a.db", "sqlite+pysqlite:////data/a.db"),
        ("sqlite:////data/a.db", "sqlite+pysqlite:////data/a.db"),
        ("postgresql+psycopg://me:x@h/d?sslmode=require", "postgresql+psycopg://me:x@h/d?sslmode=require"),
        ("postgresql://h/d", "postgresql+psycopg://h/d"),
    ],
)  # fmt: skip
def test_what_a_url_means(jdbc, expected):
    """JDBC's parameters become those of the Python driver, or are left out where they change no result."""
    assert of(jdbc) == expected


def test_mysql_urls_are_understood(monkeypatch):
    """Also where its driver, which is not among what tests install, would be needed to go on."""
    monkeypatch.setattr(urls, "_check_installed", lambda url: None)
    monkeypatch.setattr(urls, "find_spec", lambda module: module == "pymysql")
    assert (
        of("jdbc:mysql://h:3306/d?useUnicode=true&connectTimeout=5000") == "mysql+pymysql://h:3306/d?connect_timeout=5"
    )
    assert of("jdbc:mariadb://h/d", "org.mariadb.jdbc.Driver") == "mysql+pymysql://h/d"


def test_user_and_password_of_the_builder_go_before_those_of_the_url():
    """As they are said last."""
    assert of("jdbc:postgresql://h/d?user=a&password=b", user="c", password="d") == "postgresql+psycopg://c:d@h/d"


def test_sqlite_has_no_users():
    """A password would not protect anything."""
    with pytest.raises(ConfigurationError, match="SQLite has no users"):
        of("jdbc:sqlite:/data/a.db", user="me", password="x")


def test_a_relative_path_is_one_for_all_processes(tmp_path, monkeypatch):
    """Workers may run elsewhere."""
    monkeypatch.chdir(tmp_path)
    assert of("jdbc:sqlite:a.db") == f"sqlite+pysqlite:///{tmp_path}/a.db"


@pytest.mark.parametrize("driver", [None, "org.postgresql.Driver", "psycopg"])
def test_drivers_of_java_and_python_are_taken(driver):
    """Java's class stands for its database."""
    assert of("jdbc:postgresql://h/d", driver) == "postgresql+psycopg://h/d"


@pytest.mark.parametrize(
    ("url", "driver", "said"),
    [
        ("jdbc:oracle:thin:@h:1521/x", None, "understands the JDBC URLs jdbc:postgresql:, .* got jdbc:oracle"),
        ("jdbc:postgresql://h/d", "com.mysql.cj.jdbc.Driver", "a Java class that does not belong to postgresql, whose"),
        ("jdbc:postgresql://h/d?sslfactory=x.Y", None, "the parameter sslfactory .* has no counterpart in Python"),
        ("jdbc:postgresql://h/d?applicationname=x", None, "is not known: ApplicationName?"),
        ("jdbc:postgresql:h/d", None, "are jdbc:postgresql://host:port/database"),
        ("jdbc:postgresql://h:x/d", None, "is host:port"),
        ("jdbc:sqlite::memory:", None, "seen by one process alone"),
        ("sqlite://", None, "seen by one process alone"),
        ("no url", None, "cannot be read: no url; give a JDBC URL"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(url, driver, said):
    """With what to do."""
    with pytest.raises(ConfigurationError, match=said):
        of(url, driver)


@pytest.mark.parametrize("driver", ["psycopg99", "psycopg2"])
def test_a_driver_that_is_not_installed_is_an_error_of_the_call(driver):
    """And not one of a worker's, later."""
    with pytest.raises(MissingDatabasePackageError, match=f"the driver postgresql.{driver} of .* cannot be loaded"):
        of("jdbc:postgresql://h/d", driver)


def test_an_asynchronous_driver_is_refused():
    """A worker waits for its rows to be written."""
    with pytest.raises(ConfigurationError, match=r"sqlite\+aiosqlite is an asynchronous one"):
        of("sqlite+aiosqlite:////data/a.db")


def test_without_any_driver_the_packages_are_named(monkeypatch):
    """All that will do."""
    monkeypatch.setattr(urls, "find_spec", lambda module: None)
    with pytest.raises(MissingDatabasePackageError, match=r"no Python driver of postgresql .* psycopg\[binary\]"):
        of("jdbc:postgresql://h/d")


def test_without_sqlalchemy_its_installation_is_named(monkeypatch):
    """It is not installed by itself."""
    monkeypatch.setitem(__import__("sys").modules, "sqlalchemy", None)
    with pytest.raises(MissingDatabasePackageError, match="pip install sqlalchemy"):
        of("jdbc:postgresql://h/d")


@pytest.mark.parametrize(
    "url",
    [
        "jdbc:postgresql://h:x/d?user=a&password=secret",
        "jdbc:oracle://me:secret@h/d",
        "postgresql://me:secret@h:x/d",
        "postgresql://me:sec/ret@secret@h:x/d",
        "jdbc:postgresql://h/d?sslfactory=x&password=secret",
    ],
)
def test_a_password_is_in_no_error(url):
    """Wherever it stands in the URL."""
    with pytest.raises(ConfigurationError) as raised:
        of(url, "x.y")
    assert "secret" not in str(raised.value)
    assert "secret" not in shown(url)


def test_urls_travel_to_workers():
    """As a part of the sink."""
    url = connection_url("jdbc:postgresql://h/d", None, "me", "secret")
    assert pickle.loads(pickle.dumps(url)) == url
