/**
 * The tests in this package run the whole program against real targets: the built distribution measures services that it
 * launches, in a process of its own. A command line comes in; the exit code, the output and the files are what is
 * checked. {@link Kiln} runs the program in a {@link Sandbox}, and {@link LivingJvm} is a JVM for the doctor. The other
 * classes are the tests, one for each command or each way to fail: bad input, a bad machine, a bad target, a kill.
 */
@NullMarked
package dev.kiln.it;

import org.jspecify.annotations.NullMarked;
