/**
 * A budget is where the response time of a request goes. What comes in is the evidence of a run and a window of it; what
 * goes out is the mean response time in that window, in parts that sum to it. The walk: {@link BudgetReader} counts the
 * requests of the window and takes their mean response time from Little's law; {@link ServingThreads} tells which threads
 * work for requests, and adds up what they ran and how long they waited for a CPU; collections, other safepoints and a
 * CPU limit stop all requests alike, so they cost their share of the time; what thread dumps saw blocked is counted by
 * Little's law again. What is left is the rest: a request that no thread had taken up yet, and what was not recorded.
 * {@link Budget} holds one window, and {@link Budgets.BudgetCurve} one second after the other.
 */
@NullMarked
package dev.kiln.explain.budget;

import org.jspecify.annotations.NullMarked;
