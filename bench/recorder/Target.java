import java.util.concurrent.locks.LockSupport;

/** A service with {@code args[0]} threads that all do a little, a hundred times a second. */
public class Target {
    static volatile long sink;

    public static void main(String[] args) throws InterruptedException {
        int threads = Integer.parseInt(args[0]);
        for (int i = 0; i < threads; i++) {
            Thread.ofPlatform().name("http-nio-8080-exec-" + i).start(Target::work);
        }
        System.out.println("ready");
        Thread.currentThread().join();
    }

    private static void work() {
        while (true) {
            long sum = 0;
            for (int i = 0; i < 1_000; i++) {
                sum += Integer.toString(i).hashCode();
            }
            sink = sum;
            LockSupport.parkNanos(10_000_000);
        }
    }
}
