"""Elements made of numbers, under the names of Flink's connector-datagen; PyFlink has none of it."""

from windrow.connectors.datagen.generator_function import GeneratorFunction
from windrow.connectors.datagen.rate_limiter import RateLimiter, RateLimiterStrategy
from windrow.connectors.datagen.source import DataGeneratorSource

__all__ = ["DataGeneratorSource", "GeneratorFunction", "RateLimiter", "RateLimiterStrategy"]
