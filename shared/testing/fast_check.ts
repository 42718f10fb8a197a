/** fast-check with the seed of the run; it prints the seed of what fails. */
import fc from "fast-check";
import { SEED } from "./seed.ts";

// It takes 32 bits of a seed.
fc.configureGlobal({ seed: SEED | 0 });

export default fc;
