"""Devices of a report as their runs describe them, with curves over footprint and the levels of their memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpuseq.charts.values import Band, Guide, Heading, LineChart, Mark, Panel, Quantity
from gpuseq.drawing import keep_fastest
from gpuseq.figures.common.bandwidth import bandwidth_of, main_panel, usual_blocks
from gpuseq.figures.common.device_levels import DeviceLevel, device_levels
from gpuseq.figures.probes import seconds_per_access
from gpuseq.page.html import definitions, describe
from gpuseq.runs import Json, Record, Report, dict_at, list_at, number_at, text_at
from gpuseq.units import Unit, format_value
from gpuseq.words import Rate, thread_words, tips_of

_FACTS = [("architecture", "Architecture", ""), ("multiprocessors", "Multiprocessors", ""), ("cores", "Cores", ""),
          ("threads", "Threads", ""), ("cpu_quota", "CPU quota", " vCPU"), ("memory_bytes", "Memory", ""),
          ("l2_bytes", "L2 cache", ""), ("caches", "Caches", ""), ("memory_bus_bits", "Memory bus", " bits"),
          ("max_sm_clock_mhz", "Highest SM clock", " MHz"), ("max_memory_clock_mhz", "Highest memory clock", " MHz"),
          ("max_clock_mhz", "Highest clock", " MHz"), ("power_limit_w", "Power limit", " W"), ("ecc", "ECC", ""),
          ("mig", "MIG", ""), ("driver_version", "Driver", ""), ("toolkit_version", "CUDA toolkit", ""),
          ("virtual_machine", "Virtual machine", ""), ("operating_system", "Operating system", "")]  # fmt: skip
"""Keys of a description that decide the speed of a device; their names and units."""

_LATENCY = "latency, one access after another"


@dataclass
class DeviceProfile:
    """A device, and the runs that used it."""

    name: str
    description: dict[str, Json]
    runs: list[str] = field(default_factory=list[str])
    places: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])  # its id in each run
    levels: list[DeviceLevel] = field(default_factory=list[DeviceLevel])

    @property
    def seen_as(self) -> str:
        """ "cuda:0 in run quick"."""
        return f"{self.places[0][1]} in {'run' if len(self.runs) == 1 else 'runs'} {', '.join(self.runs)}"

    def facts(self) -> list[tuple[str, str]]:
        facts: list[tuple[str, str]] = []
        for key, label, unit in _FACTS:
            value = self.description.get(key)
            if value is not None:
                text = _caches(self.description) if key == "caches" else describe(key, value)
                facts.append((label, text + unit))
        return facts

    def all_facts(self) -> list[tuple[str, str]]:
        return definitions(self.description)


def _caches(description: dict[str, Json]) -> str:
    """ "48 KiB L1, 2 MiB L2"."""
    return ", ".join(f"{describe('bytes', cache['bytes'])} L{cache['level']}" for cache in list_at(description, "caches")
                     if number_at(cache, "level") is not None and number_at(cache, "bytes") is not None)  # fmt: skip


def level_words(level: DeviceLevel) -> str:
    """ "L2: 47.9 MiB (38.8 MiB to 59.3 MiB, stated 60 MiB)"."""
    details: list[str] = []
    if level.high_bytes > level.low_bytes:
        details.append(f"{format_value(level.low_bytes, Unit.bytes)} to {format_value(level.high_bytes, Unit.bytes)}")
    if level.stated_bytes > 0:
        details.append(f"stated {format_value(level.stated_bytes, Unit.bytes)}")
    if level.uncertain:
        details.append("uncertain")
    return f"{level.name}: {format_value(level.at_bytes, Unit.bytes)}" + (f" ({', '.join(details)})" if details else "")


def device_profiles(report: Report) -> list[DeviceProfile]:
    """The devices of all runs. Runs on one device, by its fingerprint, share a profile."""
    measured: dict[tuple[int, str], Record] = {}
    for record in report.records:
        measured.setdefault((record.run, record.device), record)
    profiles: dict[str, DeviceProfile] = {}
    for number, run in enumerate(report.runs):
        for device, description in dict_at(run.summary, "devices").items():
            if not isinstance(description, dict):
                continue
            record = measured.get((number, device))
            key = record.fingerprint if record else f"{number} {device}"
            name = record.device_name if record else text_at(description, "name") or device
            profile = profiles.setdefault(key, DeviceProfile(name, description))  # pyright: ignore
            profile.runs.append(run.name)
            profile.places.append((number, device))
    for profile in profiles.values():
        profile.levels = device_levels(report, profile.places)
    return list(profiles.values())


def device_curve(report: Report, profile: DeviceProfile) -> LineChart | None:
    """Random bandwidth and latency over footprint, crossed by the levels; None without a probe of the memory."""
    chart = LineChart(
        Quantity("footprint", Unit.bytes, log=True), Quantity("random bandwidth", Unit.bytes_per_s, log=True),
        Heading(profile.name, [], "Random bandwidth, and latency of dependent accesses, over footprint"),
    )  # fmt: skip
    _add_bandwidth(chart, report, profile.name)
    _add_latency(chart, report, profile.name)
    for panel in chart.panels:
        for level in profile.levels:
            size = format_value(level.at_bytes, Unit.bytes)
            name = f"{level.name}{'?' if level.uncertain else ''} {size}" if level.name else size
            if level.high_bytes > level.low_bytes:
                panel.bands.append(Band(level.low_bytes, level.high_bytes))
            panel.guides.append(Guide(True, level.at_bytes, name))
    return chart if chart.panels else None


def _mark(record: Record, footprint: float, rate: Rate, unit: Unit, series: str) -> Mark:
    return Mark(footprint, rate.value, rate.low, rate.high, series, disturbed=record.disturbed, record=record.index,
                tips=tips_of(record, rate, unit))  # fmt: skip


def _add_bandwidth(chart: LineChart, report: Report, device_name: str) -> None:
    source = main_panel(report, device_name)
    if source is None:
        return
    threads = f", {thread_words('0' if source.threads == 'all' else source.threads)}" if source.threads else ""
    panel = Panel(f"Random bandwidth{threads}", guided=False)
    for block in usual_blocks(source):
        series = f"{format_value(block, Unit.bytes)} blocks"
        chart.series.append(series)
        curve = source.curves[block]
        panel.marks += [_mark(curve[footprint], footprint, bandwidth_of(curve[footprint]), Unit.bytes_per_s, series)
                        for footprint in sorted(curve)]  # fmt: skip
    chart.panels.append(panel)


def _add_latency(chart: LineChart, report: Report, device_name: str) -> None:
    fastest: dict[float, Record] = {}
    for record in report.settled("latency"):
        footprint = number_at(record.point, "footprint_bytes") or 0
        if footprint > 0 and record.device_name == device_name:
            keep_fastest(fastest, footprint, record)
    if not fastest:
        return
    chart.series.append(_LATENCY)
    panel = Panel("Latency", guided=False, y=Quantity("time of one access", Unit.seconds, log=True))
    panel.marks = [_mark(fastest[footprint], footprint, seconds_per_access(fastest[footprint]), Unit.seconds, _LATENCY)
                   for footprint in sorted(fastest)]  # fmt: skip
    chart.panels.append(panel)
