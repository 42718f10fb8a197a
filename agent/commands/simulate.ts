import { z } from "zod";
import { ExitError } from "../exit_error.ts";
import { parseLieRates } from "../../simulator/phone/lies.ts";
import type { PlayedScreen } from "../../simulator/phone/screen_player.ts";
import { box, type UiNode } from "../../simulator/phone/ui_node.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator/start_simulator.ts";
import type { RecordedNode, Recording } from "../recordings/recording.ts";
import type { Command } from "./command.ts";
import { readRecordingFile } from "./read_recording_file.ts";

const environmentSchema = z.object({
  /** Number of virtual phones. */
  SIMULATED_DEVICES: z.coerce.number("must be a whole number, 0 to 1000").int().min(0).max(1_000).default(8),
  /** Factor by which they are faster than a real phone. */
  SIMULATED_SPEED: z.coerce.number("must be a number above 0").positive().max(1_000_000).default(10),
  /** How often phones lie: 0 never, 1 at the rates of simulator/phone/lies.ts. */
  SIMULATED_FAULTS: z.coerce.number("must be a number, 0 to 1").min(0).max(1).default(0),
  /** Rates of single lies that replace it: "startIgnored=0.3,dumpFails=1". */
  SIMULATED_LIES: z.string().default("").transform((text, context) => {
    try {
      return parseLieRates(text);
    } catch {
      context.addIssue({
        code: "custom",
        message: "must list lies, each as name=rate with a rate from 0 to 1",
      });
      return z.NEVER;
    }
  }),
  /** 0 takes any free port. DATA_DIR/simulator/port then holds it. */
  SIMULATOR_PORT: z.coerce.number("must be a port, 0 to 65535").int().min(0).max(65_535).default(0),
  DATA_DIR: z.string().min(1).default(".data"),
});

export const simulateCommand: Command = {
  options: {
    seed: { type: "string" },
    adbd: { type: "boolean" },
    devices: { type: "string" },
    play: { type: "string" },
  },

  async run({ options: { seed, adbd, devices, play }, print, log, stop }) {
    const recording = typeof play === "string" ? await readRecordingFile(play) : null;
    const environment = Deno.env.toObject();
    const settings = readSettings(
      typeof devices === "string" ? { ...environment, SIMULATED_DEVICES: devices } : environment,
    );
    const directory = `${settings.DATA_DIR}/simulator`;
    await Deno.mkdir(directory, { recursive: true });
    const simulator = await startHere({
      port: settings.SIMULATOR_PORT,
      devices: settings.SIMULATED_DEVICES,
      adbdPorts: adbd ? 1 : 0,
      speed: settings.SIMULATED_SPEED,
      faults: settings.SIMULATED_FAULTS,
      lies: settings.SIMULATED_LIES,
      ...(typeof seed === "string" ? { seed } : {}),
      ...(recording ? played(recording) : {}),
      tapLogPath: `${directory}/taps.jsonl`,
      log: (message) => log("warn", "simulator", { message }),
    });
    // A reader that waits for the file must never see half a number.
    await Deno.writeTextFile(`${directory}/port.new`, `${simulator.port}\n`);
    await Deno.rename(`${directory}/port.new`, `${directory}/port`);
    print(`Simulating ${settings.SIMULATED_DEVICES} phones at 127.0.0.1:${simulator.port}`);
    for (const [index, [port]] of simulator.adbd.entries()) {
      if (port) print(`adb connect ${port.address}  # ${simulator.phones[index]!.serial}`);
    }
    await aborted(stop);
    await simulator.shutdown();
  },
};

/**
 * Returns the options with which the first phone plays a recording: its screens, and the account that it was made with.
 *
 * @throws {ExitError} when the recording has no screen
 */
export function played({ steps, facts }: Recording): Pick<SimulatorOptions, "plays" | "traits"> {
  const plays = steps.flatMap(({ asked, answer: { dump, focus } }): PlayedScreen[] =>
    asked === "open_chat" || asked === "open_picture" || asked === "read"
      ? [{
        asked,
        windows: dump?.map(uiNodeOf) ?? null,
        activity: focus?.window ?? null,
        user: focus?.user ?? facts.user,
      }]
      : []
  );
  if (plays.length === 0) throw new ExitError("usage", "Cannot play the recording: it has no screen");
  const account = { app: facts.app, user: facts.user, firstInstalledAt: Date.UTC(2024, 0) };
  return {
    plays,
    traits: (index) =>
      index > 0 ? {} : {
        accounts: [account],
        ...(facts.model === null ? {} : { model: facts.model }),
        ...(facts.androidVersion === null ? {} : { androidVersion: facts.androidVersion }),
        ...(facts.appVersion === null ? {} : { appVersion: facts.appVersion }),
      },
  };
}

function uiNodeOf(node: RecordedNode): UiNode {
  return {
    id: node.id ?? "",
    app: node.app ?? "",
    className: node.class ?? "",
    text: node.text ?? "",
    description: node.description ?? "",
    bounds: box(...node.box ?? [0, 0, 0, 0]),
    children: (node.nodes ?? []).map(uiNodeOf),
    // A node that takes touches says so in its dump. Only the send button has an effect.
    ...(node.is?.includes("clickable") ? { onTap: () => {} } : {}),
  };
}

async function startHere(options: SimulatorOptions): Promise<Simulator> {
  try {
    return await startSimulator(options);
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new ExitError("config", `Cannot start: SIMULATOR_PORT ${options.port} is taken`);
  }
}

function readSettings(environment: Record<string, string>): z.infer<typeof environmentSchema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value.trim() !== ""));
  const parsed = environmentSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  throw new ExitError("config", `Cannot start: ${wrong.join("; ")}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}
