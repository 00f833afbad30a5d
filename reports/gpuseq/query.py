"""`gpuseq-bench query`: SQL over the table `records` of some runs (frames.COLUMNS)."""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuseq.errors import UsageError
from gpuseq.frames import frame_of
from gpuseq.runs import load_runs
from gpuseq.text import printable, without_commands

if TYPE_CHECKING:
    import duckdb
    import polars

FORMATS = ["table", "csv", "parquet"]
_MOST_WIDTH = 40  # of a column in a table


def query(sql: str, folders: list[Path], output_format: str = "table", output: Path | None = None) -> None:
    """Prints or writes the result of one SELECT statement. Raises UsageError."""
    if output_format == "parquet" and output is None:
        raise UsageError("query --format parquet: needs --output FILE")
    report = load_runs(folders, whole=True)
    names, rows = select(sql, frame_of(report))
    if output_format == "parquet" and output:
        _write_parquet(names, rows, output)
        return
    target = output.open("w", newline="") if output else sys.stdout
    try:
        if output_format == "csv":
            csv.writer(target, lineterminator="\n").writerows([names, *rows])
        else:
            print("\n".join(map(without_commands, table_lines(names, rows))), file=target)
    finally:
        if output:
            target.close()


def select(sql: str, frame: polars.DataFrame) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Column names and rows of a SELECT statement over `records`. It has no access to files and network."""
    import duckdb

    connection = duckdb.connect()
    try:
        statements = connection.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            found = ", ".join(statement.type.name for statement in statements) or "nothing"
            raise UsageError(f"query: found {found}; allowed: one SELECT statement")
        _take(connection, frame)
        result = connection.execute(sql)
        return [str(column[0]) for column in result.description or []], result.fetchall()
    except duckdb.Error as error:
        raise UsageError(f"query: {error}") from None
    finally:
        connection.close()


def _take(connection: duckdb.DuckDBPyConnection, frame: polars.DataFrame) -> None:
    """Copies the table into the database, then locks the database in."""
    with tempfile.TemporaryDirectory(prefix="gpuseq-") as folder:
        file = Path(folder) / "records.parquet"
        frame.write_parquet(file)
        connection.execute("CREATE TABLE records AS FROM read_parquet(?)", [str(file)])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _write_parquet(names: list[str], rows: list[tuple[Any, ...]], output: Path) -> None:
    import polars

    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    if len(columns) != len(names):
        raise UsageError("query --format parquet: two columns have one name; give them names by AS")
    polars.DataFrame(columns, strict=False, infer_schema_length=None).write_parquet(output)


def table_lines(names: list[str], rows: list[tuple[Any, ...]]) -> list[str]:
    """Columns side by side; numbers to the right, long texts cut."""
    texts = [[_cell(value) for value in row] for row in rows]
    widths = [max([len(name), *(len(row[place]) for row in texts)]) for place, name in enumerate(names)]
    numeric = [
        all(isinstance(row[place], int | float | None) for row in rows) and bool(rows) for place in range(len(names))
    ]

    def line(cells: list[str]) -> str:
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(cells, widths, numeric, strict=True)
        ]
        return "  ".join(padded).rstrip()

    return [line(names), line(["-" * width for width in widths]), *map(line, texts)]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    text = printable(str(value))
    return text if len(text) <= _MOST_WIDTH else text[: _MOST_WIDTH - 3] + "..."
