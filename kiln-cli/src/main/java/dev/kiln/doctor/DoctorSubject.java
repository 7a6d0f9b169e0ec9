package dev.kiln.doctor;

import dev.kiln.model.LiveProcess;
import dev.kiln.model.run.RunInfo.NotRecorded;
import java.util.List;

/** A DoctorSubject is a living JVM as the doctor found it. */
public record DoctorSubject(LiveProcess process, LiveDiagnosis diagnosis, List<NotRecorded> notRecorded) {
    public DoctorSubject {
        notRecorded = List.copyOf(notRecorded);
    }
}
