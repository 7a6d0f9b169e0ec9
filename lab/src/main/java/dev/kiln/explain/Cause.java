package dev.kiln.explain;

import dev.kiln.model.Finding;

/** One thing that can hold a service back, judged by evidence alone. */
interface Cause {
    /** @param earlier what has been judged before: a cause comes before what it can be mistaken for */
    Finding judge(Situation situation, Findings earlier);
}
