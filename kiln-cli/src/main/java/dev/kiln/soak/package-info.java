/**
 * {@code kiln soak} keeps one variant under load for hours. An experiment and a length come in; trends of memory,
 * throughput and response time, and the error budget, go out. {@link SoakCommand} runs segments, each a process of
 * its own, and notes its {@link SoakPlan} so that it can go on after an interruption. {@link SoakReader} reads what
 * was recorded into windows, row by row, because it may not fit into memory. A {@link SoakAssessment} finds {@link
 * SoakTrends} in the windows and makes a {@link SoakResult}. {@link SoakReport} and {@link SoakJson} are
 * its forms.
 */
@NullMarked
package dev.kiln.soak;

import org.jspecify.annotations.NullMarked;
