"""Credentials in the form of Java's login modules."""

import pytest

from windrow.connectors.kafka.jaas import credentials
from windrow.errors import ConfigurationError

PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"


def of(text):
    return credentials({"sasl.jaas.config": text})


@pytest.mark.parametrize(
    ("text", "user", "password"),
    [
        (f'{PLAIN} required username="me" password="secret";', "me", "secret"),
        (f"{SCRAM} REQUIRED\n  username='me'\n  password='a b;c';\n", "me", "a b;c"),
        (f'{SCRAM} required password="a=\\"b\\"\\\\" tokenauth="false" username=me ;', "me", 'a="b"\\'),
        (f'org.apache.flink.kafka.shaded.{PLAIN} required username="" password="ü";', "", "ü"),
    ],
)
def test_user_and_password_of_plain_and_scram(text, user, password):
    """As Java reads them, quotes and backslashes too."""
    assert of(text) == {"sasl.username": user, "sasl.password": password}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('x.OAuthBearerLoginModule required clientId="hidden";', r"has no login module x\.OAuthBearer.*method=oidc"),
        ('com.sun.security.auth.module.Krb5LoginModule required keyTab="hidden";', r"set sasl\.kerberos\.service"),
        ("software.amazon.msk.auth.iam.IAMLoginModule required;", r"set sasl\.username .*sasl\.oauthbearer"),
        (f'{PLAIN} required username="me" passwort="hidden";', "there is no password in it"),
        (f'{PLAIN} required username="me" password="hidden"', "not of the form"),
        (f'{PLAIN} username="me" password="hidden";', "not of the form"),
        (f'{PLAIN} required username="me" password="hidden"; {SCRAM} required;', "not of the form"),
    ],
)
def test_what_cannot_be_said_to_librdkafka_is_refused(text, said):
    """With what to set instead, and without the password."""
    with pytest.raises(ConfigurationError, match=said) as raised:
        of(text)
    assert "hidden" not in str(raised.value)
