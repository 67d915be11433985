import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const FOLDER = `${import.meta.dirname}/`
const peers = createRequire(`${FOLDER}package.json`)

/** Installs missing peers into their own folder. False if that fails, which the bench reports. */
export function ensurePeers(): boolean {
  if (existsSync(`${FOLDER}node_modules`)) return true
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', '--prefix', FOLDER, ...options], { stdio: 'inherit' })
  return status === 0
}

/** Loads a module of a peer by package, or by a file inside the package. The caller gives its type. */
export async function importPeer<Module>(specifier: string, file?: string): Promise<Module> {
  const path = file === undefined ? peers.resolve(specifier) : `${FOLDER}node_modules/${specifier}/${file}`
  return (await import(pathToFileURL(path).href)) as Module
}
