package dev.kiln.doctor;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The last second or so of a process, for a live screen. Shares are of one CPU.
 *
 * @param cpu of the whole process
 * @param c2Wait C2 threads waiting for a CPU on average
 * @param c2Queue as last told
 * @param level4 methods compiled by C2, as last told
 */
public record Pulse(
        OptionalDouble cpu, OptionalDouble c2Cpu, OptionalDouble c2Wait, OptionalInt c2Queue, OptionalInt level4) {}
