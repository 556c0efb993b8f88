"""Options, as PyFlink's."""

import pytest

from windrow.common import Secret, Types
from windrow.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcExecutionOptions, JdbcSink
from windrow.errors import ConfigurationError, ConfigurationTypeError


def test_connection_options_say_what_they_were_given():
    """And hide the password in their text."""
    options = (
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
        .with_url("jdbc:postgresql://h/d")
        .with_driver_name("org.postgresql.Driver")
        .with_user_name("me")
        .with_password("secret")
        .build()
    )
    assert options.get_db_url() == "jdbc:postgresql://h/d"
    assert options.get_driver_name() == "org.postgresql.Driver"
    assert (options.get_user_name(), options.get_password()) == ("me", "secret")
    assert repr(options) == "JdbcConnectionOptions(postgresql+psycopg://me:***@h/d)"


def test_there_must_be_a_url():
    """Everything else may be in it."""
    with pytest.raises(ConfigurationError, match="call with_url"):
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_user_name("me").build()


@pytest.mark.parametrize("call", ["with_url", "with_driver_name", "with_user_name", "with_password"])
def test_connection_options_are_texts(call):
    """Others are refused, and not shown where they might be a password."""
    with pytest.raises(ConfigurationError, match="JdbcConnectionOptions must be a str") as raised:
        getattr(JdbcConnectionOptions.JdbcConnectionOptionsBuilder(), call)(1234)
    assert call != "with_password" or "1234" not in str(raised.value)


def test_execution_options_have_flinks_defaults():
    """5,000 rows, three retries."""
    for options in (JdbcExecutionOptions.defaults(), JdbcExecutionOptions.builder().build()):
        assert (options.get_batch_interval_ms(), options.get_batch_size(), options.get_max_retries()) == (0, 5000, 3)


def test_execution_options_keep_what_they_are_given():
    """In PyFlink's names."""
    options = JdbcExecutionOptions.builder().with_batch_interval_ms(1).with_batch_size(2).with_max_retries(0).build()
    assert (options.get_batch_interval_ms(), options.get_batch_size(), options.get_max_retries()) == (1, 2, 0)


@pytest.mark.parametrize(
    ("call", "value", "error"),
    [
        ("with_batch_size", 0, ConfigurationError),
        ("with_batch_size", "5", ConfigurationTypeError),
        ("with_batch_interval_ms", -1, ConfigurationError),
        ("with_max_retries", -1, ConfigurationError),
        ("with_max_retries", 1.5, ConfigurationTypeError),
    ],
)
def test_wrong_execution_options_are_refused_by_the_call(call, value, error):
    """With its name."""
    with pytest.raises(error, match=call):
        getattr(JdbcExecutionOptions.builder(), call)(value)


def test_a_password_may_be_a_secret():
    """The program asks for it when it connects; it is shown nowhere."""
    asked = ["first", "second"]
    builder = JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url("jdbc:postgresql://host/shop")
    options = builder.with_user_name("me").with_password(Secret(lambda: asked.pop(0))).build()
    assert repr(options) == "JdbcConnectionOptions(postgresql+psycopg://me:***@host/shop)"
    sink = JdbcSink.sink("insert into t values (?)", Types.ROW([Types.INT()]), options)
    assert [sink.url.password, sink.url.password, asked] == ["first", "second", []]


def test_a_secret_of_a_file_of_sqlite_is_refused():
    """As any password of it."""
    builder = JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url("jdbc:sqlite:/a.db")
    with pytest.raises(ConfigurationError, match="SQLite has no users"):
        builder.with_password(Secret(lambda: "pa55")).build()
