import type { InArgs, InValue, ResultSet, Row, Value } from "@libsql/client/web";
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";

/** Arguments as `node:sqlite` binds them; throws RangeError for NaN and infinities, TypeError for `undefined`. */
export function toBoundArgs(args: InArgs): SQLInputValue[] | Record<string, SQLInputValue> {
  if (Array.isArray(args)) return args.map(toBoundValue);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toBoundValue(value)]));
}

/** Rows in libSQL's shape, from arrays of values: enumerable by name, also readable by index. */
export function toRow(values: SQLOutputValue[], columns: string[]): Row {
  const row = {} as Row;
  Object.defineProperty(row, "length", { value: values.length });
  for (let i = 0; i < values.length; i++) {
    const value = fromBoundValue(values[i]);
    Object.defineProperty(row, i, { value });
    if (!Object.hasOwn(row, columns[i])) row[columns[i]] = value;
  }
  return row;
}

/** What a statement answered, with the text form of libSQL's own result. */
export class SqliteResult implements ResultSet {
  constructor(
    readonly columns: string[],
    readonly columnTypes: string[],
    readonly rows: Row[],
    readonly rowsAffected: number,
    readonly lastInsertRowid: bigint | undefined,
  ) {}

  toJSON(): unknown {
    return {
      columns: this.columns,
      columnTypes: this.columnTypes,
      rows: this.rows.map((row) => Array.from(row as unknown as ArrayLike<Value>)),
      rowsAffected: this.rowsAffected,
      lastInsertRowid: this.lastInsertRowid?.toString() ?? null,
    };
  }
}

function toBoundValue(value: InValue): SQLInputValue {
  switch (typeof value) {
    case "string":
      return value;
    case "bigint":
      if (BigInt.asIntN(64, value) !== value) throw new RangeError("Cannot bind an integer beyond 64 bits");
      return value;
    case "number":
      // SQLite would store these as NULL. (A finite number is bound as REAL, here and by the remote client: an
      // INTEGER column turns it back, a bare expression such as `? / 2` does not.)
      if (!Number.isFinite(value)) throw new RangeError(`Cannot bind the number ${value}: it is not finite`);
      return value;
    case "boolean":
      return value ? 1n : 0n;
    case "undefined":
      throw new TypeError("Cannot bind undefined: use null");
  }
  if (value instanceof Date) return value.valueOf();
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value;
}

function fromBoundValue(value: SQLOutputValue): Value {
  if (!(value instanceof Uint8Array)) return value;
  return value.slice().buffer as ArrayBuffer;
}
