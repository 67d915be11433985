import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { pidNamespace } from './running-commands.ts'

/** The machine that this process runs on, as far as numbers of processes mean the same. */
export interface ThisMachine {
  /** Differs between machines, boots and containers. */
  readonly id: string
  /** For people. */
  readonly name: string
}

let known: ThisMachine | undefined

/** Names this machine. Two containers of one machine are two machines: neither sees the other's processes. */
export function thisMachine(): ThisMachine {
  if (known === undefined) {
    const parts = [hostname(), bootId(), pidNamespace() ?? '']
    const id = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
    known = Object.freeze({ id, name: hostname() })
  }
  return known
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return '' // macOS
  }
}
