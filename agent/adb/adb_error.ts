/** Any failure to speak with the ADB server or with a phone through it. The subclass shows what a caller can do. */
export class AdbError extends Error {
  override name = "AdbError";
}

/** No ADB server answers at the address, and nothing was sent. Start the server, or wait. */
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

/** The answer did not come in time. The command may still run on the phone. */
export class AdbTimeoutError extends AdbError {
  override name = "AdbTimeoutError";
}

/** The connection ended before the whole answer. The command may have run on the phone. */
export class AdbDisconnectedError extends AdbError {
  override name = "AdbDisconnectedError";
}

/**
 * The server or the phone refused, for example an unknown service or a missing file. The message holds its own words.
 */
export class AdbRefusedError extends AdbError {
  override name = "AdbRefusedError";
}

/** The answer breaks the protocol, or is longer than the caller's bound. */
export class AdbProtocolError extends AdbError {
  override name = "AdbProtocolError";
}

/** Turns the text after FAIL into the error that a caller can act on. The texts are those of AOSP transport.cpp. */
export function errorOfFailure(service: string, message: string): AdbError {
  const text = `Cannot run ${nameOf(service)}: ${message.trim()}`;
  if (/unauthorized/.test(message)) return new AdbDeviceUnauthorizedError(text);
  if (/not found|no devices/.test(message)) return new AdbDeviceNotFoundError(text);
  if (/offline|still (authorizing|connecting)/.test(message)) return new AdbDeviceOfflineError(text);
  return new AdbRefusedError(text);
}

/**
 * Returns a service's name for errors. Errors are logged, and a command line holds a recipient's number and the
 * message.
 */
export function nameOf(service: string): string {
  return JSON.stringify(service.replace(/^(shell[^:]*|exec):[^]*/, "$1"));
}
