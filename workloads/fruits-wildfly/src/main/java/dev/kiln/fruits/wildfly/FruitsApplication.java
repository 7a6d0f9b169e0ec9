package dev.kiln.fruits.wildfly;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

@ApplicationPath("/")
public class FruitsApplication extends Application {}
