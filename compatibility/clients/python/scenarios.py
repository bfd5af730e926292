"""Scenarios of the Python client: scenarios.py SERVICE_URL ADMIN_URL PREFIX [BEGINNING_OF_NAMES], or speak SERVICE_URL, see typed.py."""

import sys

import typed

if __name__ == "__main__" and sys.argv[1] == "speak":
    typed.speak(sys.argv[2])
    sys.exit(0)

import consuming
import partitions
import places
import producing
import schemas
import scenario

if __name__ == "__main__":
    themes = [producing.THEME, consuming.THEME, places.THEME, partitions.THEME, schemas.THEME]
    scenario.run(themes, *sys.argv[1:4], sys.argv[4] if len(sys.argv) > 4 else "")
