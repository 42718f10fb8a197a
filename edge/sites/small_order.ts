/**
 * The y coordinates, little endian, of the Ed25519 points whose order is at most 8. Encodings beyond the field's
 * prime are included. Anybody can sign under such a "key" (RFC 8032, section 5.1.7; the list is that of libsodium's
 * ge25519_has_small_order).
 */
const SMALL_ORDER_Y: readonly string[] = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

/** Returns whether a public key (32 bytes in base64url) is one of them, whatever its sign bit. */
export function hasSmallOrder(publicKey: string): boolean {
  const bytes = Uint8Array.fromBase64(publicKey, { alphabet: "base64url" });
  bytes[31]! &= 0x7f;
  return SMALL_ORDER_Y.includes(bytes.toHex());
}
