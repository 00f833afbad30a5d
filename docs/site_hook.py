"""A hook of mkdocs: links to files that are no pages of the site become plain text."""

import re
from typing import Any

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^()\s]+)\)")
PAGE = re.compile(r"\.(md|png)(#.*)?$")


def on_page_markdown(markdown: str, **_: Any) -> str:
    return LINK.sub(lambda match: match[0] if PAGE.search(match[2]) else match[1], markdown)
