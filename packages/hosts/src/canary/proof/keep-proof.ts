import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile } from '@countersign/node'
import type { HostName } from '../../contract/host-name.ts'
import { type HostProof, PROBES, type ProbeResult } from './probe.ts'

const FOLDER = 'hosts'
const MAX_BYTES = 256 * 1024
/** INVARIANT: L10. */
const MOST_VERSIONS = 10

/** The proofs of an agent, newest first, one per version. A damaged file proves nothing. */
export function readProofs(home: Home, host: HostName): readonly HostProof[] {
  const text = readOwnFile(pathOf(home, host), MAX_BYTES, 'CS_HOME')
  if (text === undefined) return []
  const value = parsed(text)
  return Array.isArray(value) ? (value as readonly Json[]).flatMap((one) => proofOf(one) ?? []) : []
}

/** Stores the test results of one version of an agent. */
export function keepProof(home: Home, host: HostName, proof: HostProof): void {
  const others = readProofs(home, host).filter(({ version }) => version !== proof.version)
  openOwnFolder(join(home.dir, FOLDER), 'CS_HOME')
  const kept = [proof, ...others].slice(0, MOST_VERSIONS)
  replaceOwnFile(pathOf(home, host), `${JSON.stringify(kept, null, 2)}\n`)
}

/** A mark that changes when an agent updates itself; null if its program is gone. */
export function fileMark(program: string): string | null {
  try {
    const path = realpathSync(program)
    const { ino, size, ctimeMs } = statSync(path)
    return [path, ino, size, ctimeMs].join(' ')
  } catch {
    return null
  }
}

function pathOf(home: Home, host: HostName): string {
  return join(home.dir, FOLDER, `${host}.proof.json`)
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

function proofOf(value: Json): HostProof | null {
  if (!isJsonObject(value)) return null
  const { version, at, program, fileMark: mark, results } = value
  if (typeof at !== 'number' || typeof program !== 'string' || typeof mark !== 'string') return null
  const list = Array.isArray(results) ? (results as readonly Json[]).filter(isJsonObject) : []
  return {
    version: typeof version === 'string' ? version : null,
    at,
    program,
    fileMark: mark,
    results: list.flatMap((one) => resultOf(one) ?? []),
  }
}

const FATES: readonly string[] = ['ran', 'did not run', 'waited', 'unreached'] satisfies ProbeResult['fate'][]

function resultOf({ probe, fate, runs, detail }: JsonObject): ProbeResult | null {
  const known = PROBES.find((one) => one === probe)
  if (known === undefined || typeof fate !== 'string' || !FATES.includes(fate) || typeof runs !== 'number') return null
  return { probe: known, fate: fate as ProbeResult['fate'], runs, detail: typeof detail === 'string' ? detail : null }
}
