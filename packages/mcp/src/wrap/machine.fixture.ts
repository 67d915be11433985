import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Home, openCrypto, openHome } from '@countersign/node'
import { expect } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { findClient } from './client-table.ts'
import { findConfigs, type Surroundings } from './find-configs.ts'
import { openLabels } from './labels.ts'
import { applyPlan, type ConfigPlan, planUnwrap, planWrap, type WrapOptions } from './plan.ts'
import { type PlacedFile, readConfigText } from './read-config.ts'
import { wordsOf } from './wrap-entry.ts'
import { readWrapped } from './wrapped-line.ts'

function optionsFor(home: Home, at: Surroundings): WrapOptions {
  const labels = openLabels(home, findConfigs(at), openCrypto(home))
  return { launcher: ['/opt/countersign'], home: undefined, flags: [], only: [], labels }
}

/** An account with clients, and a home of the gate. */
export function machine() {
  const folder = temporaryFolder()
  const home = openHome(join(folder, 'gate'))
  const at = { home: folder, platform: 'linux', project: join(folder, 'project') }
  const write = (path: string, text: string): string => {
    const whole = join(folder, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text)
    return whole
  }
  const placed = (client: string, path: string): PlacedFile => {
    const found = findConfigs(at, findClient(client)).find((one) => one.path === join(folder, path))
    if (found === undefined) throw new Error(`${path} is not found`)
    return found
  }
  const wrap = (file: PlacedFile, options: Partial<WrapOptions> = {}): ConfigPlan => {
    const plan = planWrap(file, { ...optionsFor(home, at), ...options })
    if (plan === undefined) throw new Error('no file')
    applyPlan(plan, home, 1)
    return plan
  }
  const unwrap = (file: PlacedFile): ConfigPlan | undefined => {
    const plan = planUnwrap(file, home)
    if (plan !== undefined) applyPlan(plan, home, 1)
    return plan
  }
  return { folder, home, at, write, placed, wrap, unwrap, options: () => optionsFor(home, at) }
}

/** Every server of a file as words or an address, seen through the gate. */
export function innerOf({ client, place, path }: PlacedFile): Record<string, string> {
  const config = readConfigText(readFileSync(path, 'utf8'), place)
  if (typeof config === 'string') throw new Error(config)
  const rows = config.entries.flatMap(({ name, data }) => {
    const words = wordsOf(data)
    const wrapped = words === null || typeof words === 'string' ? null : readWrapped(words, data[client.shape.env])
    if (wrapped === null) return []
    expect(client.shape.url.every((key) => data[key] === undefined)).toBe(true)
    return [[name, 'url' in wrapped.inner ? wrapped.inner.url : wrapped.inner.command.join(' ')] as const]
  })
  return Object.fromEntries(rows)
}
