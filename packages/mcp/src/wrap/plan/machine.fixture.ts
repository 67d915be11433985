import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openCrypto, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect } from 'vitest'
import { findConfigs, type PlacedFile, readConfigText } from '../config/client-files.ts'
import { findClient } from '../config/clients.ts'
import { readGateLine } from '../entry/command-line.ts'
import { findInstallation } from '../entry/installation.ts'
import { commandWords } from '../entry/server-target.ts'
import { openLabels } from './labels.ts'
import { applyPlan, type ConfigPlan } from './plan.ts'
import { planUnwrap } from './unwrap.ts'
import { planWrap, type WrapOptions } from './wrap.ts'

/** An account with clients, a gate home, and its launcher. */
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
  const launcher = write('bin/countersign', '')
  chmodSync(launcher, 0o755)
  const installation = findInstallation({
    node: process.execPath,
    nodeFlags: [],
    script: launcher,
    path: dirname(launcher),
    launcher,
  })
  const options = (): WrapOptions => {
    const gates = { installation, homes: [home.dir] }
    const labels = openLabels(home, findConfigs(at), gates, openCrypto(home))
    return { gates, home: undefined, flags: [], only: [], labels }
  }
  const placed = (client: string, path: string): PlacedFile => {
    const found = findConfigs(at, findClient(client)).find((one) => one.path === join(folder, path))
    if (found === undefined) throw new Error(`${path} is not found`)
    return found
  }
  const wrap = (file: PlacedFile, more: Partial<WrapOptions> = {}): ConfigPlan => {
    const plan = planWrap(file, home, { ...options(), ...more })
    if (plan === undefined) throw new Error('no file')
    applyPlan(plan, home, 1)
    return plan
  }
  const unwrap = (file: PlacedFile, only: readonly string[] = []): ConfigPlan | undefined => {
    const plan = planUnwrap(file, home, { installation, homes: [null, home.dir], only })
    if (plan !== undefined) applyPlan(plan, home, 1)
    return plan
  }
  return { folder, home, at, write, placed, wrap, unwrap, options, installation, launcher }
}

/** Every server of a file as a command or a URL, without the gate. */
export function innerOf({ client, place, path }: PlacedFile): Record<string, string> {
  const config = readConfigText(readFileSync(path, 'utf8'), place)
  if (typeof config === 'string') throw new Error(config)
  const rows = config.entries.flatMap(({ name, data }) => {
    const words = commandWords(data)
    if (words === null || typeof words === 'string') return []
    const wrapped = readGateLine(words, words.slice(0, 1), data[client.shape.env])
    if (wrapped === null) return []
    expect(client.shape.url.every((key) => data[key] === undefined)).toBe(true)
    return [[name, 'url' in wrapped.inner ? wrapped.inner.url : wrapped.inner.command.join(' ')] as const]
  })
  return Object.fromEntries(rows)
}
