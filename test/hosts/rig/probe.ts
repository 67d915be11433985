import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Files, HookAnswer, HostDriver, Scope } from '../drivers/host-driver.ts'

/** An event that a host sent to a hook. */
export interface HookEvent {
  readonly name: string
  readonly event: Readonly<Record<string, unknown>>
}

/** A hook that records what it receives and answers as told. */
export interface Probe {
  /** The command line for an event, or the text of the module that handles all of them. */
  command(event: string): string
  /** The host's configuration with this hook for the given events. */
  files(scope: Scope, events?: readonly string[]): Files
  /** The events so far, in the order of their arrival. */
  events(): readonly HookEvent[]
}

const SCRIPT = join(import.meta.dirname, 'probe-hook.mjs')
const MODULE = readFileSync(join(import.meta.dirname, 'probe-plugin.mjs'), 'utf8')

/** Answers are by event name; an event without one gets no output and exit code 0. */
export function createProbe(
  driver: HostDriver,
  folder: string,
  answers: Readonly<Record<string, HookAnswer>> = {},
): Probe {
  const received = join(folder, 'events')
  const file = join(folder, 'answers.json')
  writeFileSync(file, JSON.stringify(answers))
  const module = `const FOLDER = ${JSON.stringify(received)}\nconst ANSWERS = ${JSON.stringify(file)}\n${MODULE}`
  const command = (event: string): string =>
    driver.hookKind === 'plugin'
      ? module
      : [process.execPath, SCRIPT, received, file, event].map((word) => `'${word}'`).join(' ')
  return {
    command,
    files: (scope, events = driver.hookKind === 'plugin' ? [driver.gateEvent] : driver.events) =>
      driver.hookFiles(
        events.map((event) => ({ event, command: command(event) })),
        scope,
      ),
    events: () =>
      (existsSync(received) ? readdirSync(received).sort() : []).map((name) => ({
        name: name.replace(/^\d+-|\.json$/g, ''),
        event: JSON.parse(readFileSync(join(received, name), 'utf8')),
      })),
  }
}
