/** Any failure to speak with the ADB server or a phone through it; the subclass says what a caller can do. */
export class AdbError extends Error {
  override name = "AdbError";
}

/** No ADB server answers at the address: nothing was sent. Start it, or wait. */
export class AdbServerUnreachableError extends AdbError {
  override name = "AdbServerUnreachableError";
}

/** The server does not list the serial: the phone is unplugged. Nothing ran on it. */
export class AdbDeviceNotFoundError extends AdbError {
  override name = "AdbDeviceNotFoundError";
}

/** The phone is listed but does not answer the server. Nothing ran on it. */
export class AdbDeviceOfflineError extends AdbError {
  override name = "AdbDeviceOfflineError";
}

/** The phone has not allowed this computer: a person must accept the key on its screen. Nothing ran on it. */
export class AdbDeviceUnauthorizedError extends AdbError {
  override name = "AdbDeviceUnauthorizedError";
}

/** The answer did not come in time; what was asked may still happen on the phone. */
export class AdbTimeoutError extends AdbError {
  override name = "AdbTimeoutError";
}

/** The connection ended before the whole answer; what was asked may have happened. */
export class AdbDisconnectedError extends AdbError {
  override name = "AdbDisconnectedError";
}

/** The server or the phone said no, in its own words: an unknown service, a missing file. */
export class AdbRefusedError extends AdbError {
  override name = "AdbRefusedError";
}

/** The answer is not what the protocol allows, or longer than the caller's bound. */
export class AdbProtocolError extends AdbError {
  override name = "AdbProtocolError";
}

/** Turns the text behind FAIL into the error a caller can act on; texts are those of AOSP transport.cpp. */
export function errorOfFailure(service: string, message: string): AdbError {
  const text = `Cannot run ${nameOf(service)}: ${message.trim()}`;
  if (/unauthorized/.test(message)) return new AdbDeviceUnauthorizedError(text);
  if (/not found|no devices/.test(message)) return new AdbDeviceNotFoundError(text);
  if (/offline|still (authorizing|connecting)/.test(message)) return new AdbDeviceOfflineError(text);
  return new AdbRefusedError(text);
}

/** A service as errors name it: they are logged, and a command line holds a recipient's number and the message. */
export function nameOf(service: string): string {
  return JSON.stringify(service.replace(/^(shell[^:]*):[^]*/, "$1"));
}
