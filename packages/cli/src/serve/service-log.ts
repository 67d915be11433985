import { CountersignError, safeText, type Telemetry } from '@countersign/core'
import { createLineWriter, droppedLine, type LogFormat, logged } from '@countersign/telemetry'
import { type Io, print } from '../terminal/io.ts'

const FLUSH_MS = 1_000
const STDOUT = 1

/** The log of the service on stdout, as `--log` asks for it, and how to finish it. */
export function openServiceLog(
  format: string | undefined,
  io: Io,
): { readonly options: { readonly telemetry?: Telemetry }; flush(): Promise<void> } {
  if (format === undefined || format === 'off') return { options: {}, flush: async () => {} }
  if (format !== 'json' && format !== 'text')
    throw new CountersignError('CS_USAGE', `\`--log\` must be json, text or off, not \`${safeText(format)}\``)
  const known: LogFormat = format
  // SECURITY: A31 a pipe that nobody reads would stop the service in `stdout.write`.
  if (io.stdout !== process.stdout)
    return { options: { telemetry: logged(known, (line) => print(io, line)) }, flush: async () => {} }
  const writer = createLineWriter(STDOUT, (lines) => droppedLine(known, lines))
  return { options: { telemetry: logged(known, writer.write) }, flush: () => writer.flush(FLUSH_MS) }
}
