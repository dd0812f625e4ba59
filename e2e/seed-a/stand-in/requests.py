"""The sample imports `requests` and never uses it."""
