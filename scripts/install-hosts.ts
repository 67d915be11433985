/**
 * Installs the coding agents of `test/hosts/programs.yaml` from npm, each version in a folder of its own and without
 * install scripts. Prints one line per program with the versions it has and, for the others, what is missing.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOST_NAMES, type HostName, installedCommand, installFolder, PROGRAMS } from '../test/hosts/rig/programs.ts'

const STUCK_MS = 5 * 60_000
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']

/** Installs one version unless it is there; the reason if it cannot be had. */
async function install(host: HostName, version: string): Promise<string | undefined> {
  if (installedCommand(host, version) !== undefined) return undefined
  if (process.env['COUNTERSIGN_NO_INSTALL'] !== undefined) return 'not installed, and COUNTERSIGN_NO_INSTALL is set'
  const folder = installFolder(host, version)
  mkdirSync(folder, { recursive: true })
  // A folder without a package of its own would be installed into the next one above it.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const failure = await npmInstall(folder, `${PROGRAMS[host].package}@${version}`)
  if (installedCommand(host, version) !== undefined) return undefined
  rmSync(folder, { recursive: true, force: true })
  return failure ?? `npm has no package of this version for ${process.platform} ${process.arch}`
}

/** The first line of npm's error, if it fails. */
function npmInstall(folder: string, specifier: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('npm', ['install', ...FLAGS, specifier], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: STUCK_MS,
    })
    const chunks: Buffer[] = []
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(undefined)
      const error = /^npm error (?!code)(.*)$/m.exec(Buffer.concat(chunks).toString('utf8'))?.[1]
      resolve(
        signal === null ? (error ?? `npm exited with ${code}`) : `npm took more than ${STUCK_MS / 60_000} minutes`,
      )
    })
  })
}

for (const host of HOST_NAMES) {
  const { title, versions } = PROGRAMS[host]
  const results: string[] = []
  for (const version of versions) {
    const failure = await install(host, version)
    results.push(failure === undefined ? version : `not ${version} (${failure})`)
  }
  console.log(`${title}: ${results.join(', ')}`)
}
