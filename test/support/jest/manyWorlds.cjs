/** The simulations of the long tests draw ten times as many worlds as those of the unit tests. */
process.env.SIMULATION_RUNS ??= '1000';
