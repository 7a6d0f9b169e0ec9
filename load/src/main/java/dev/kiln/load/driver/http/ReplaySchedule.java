package dev.kiln.load.driver.http;

import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec.Replay;

/** A ReplaySchedule says when the requests of a recording are due. After the last one it begins anew. It allocates nothing. */
public final class ReplaySchedule {
    private final Feeder feeder;
    private final FeedTable table;
    private final int at;
    private final double speed;
    private final long periodNanos;

    /** @param feeder deals out the rows in their order */
    ReplaySchedule(Replay replay, Feeder feeder) {
        this.feeder = feeder;
        table = feeder.table();
        at = table.columns().indexOf(Replay.AT);
        speed = replay.speed();
        periodNanos = replay.period().toNanos();
    }

    /** Returns when a request of the phase is due, in ns since the phase began; requests are numbered from 0. */
    public long due(long number) {
        long round = number / table.rows();
        return (long) ((round * periodNanos + table.number((int) (number % table.rows()), at)) / speed);
    }

    /** Goes back to the first request at the beginning of a phase, so that phases can be compared. */
    public void rewind() {
        feeder.rewind();
    }
}
