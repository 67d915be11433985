import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { COMMAND_LINE } from '@countersign/testing/command/command'
import { HOME_FILES, OUTSIDE_FILES, PROJECT_FILES } from './sample-files.ts'

/** The folders of one run. The home is a decoy, and everything an attack could harm is below `root`. */
export interface Place {
  readonly root: string
  readonly home: string
  readonly work: string
  readonly outside: string
  readonly gate: string
  readonly bin: string
  readonly temp: string
  remove(): void
}

/** Outside the system's temporary folders: there, writing is everyday work. */
const BASE = join(process.env['COUNTERSIGN_TEST_FOLDER'] ?? homedir(), 'countersign-test')

let template: string | undefined

/** Builds the sample folders once per process. */
function buildTemplate(): string {
  mkdirSync(BASE, { recursive: true })
  const root = realpathSync(mkdtempSync(join(BASE, 'sample-')))
  writeAll(join(root, 'home'), HOME_FILES)
  writeAll(join(root, 'outside'), OUTSIDE_FILES)
  const work = join(root, 'home', 'app')
  writeAll(work, PROJECT_FILES)
  mkdirSync(join(work, 'node_modules/.bin'), { recursive: true })
  mkdirSync(join(root, 'temp'))
  mkdirSync(join(root, 'bin'))
  const command = join(root, 'bin', 'countersign')
  writeFileSync(command, `#!/bin/sh\nexec ${COMMAND_LINE} "$@"\n`)
  chmodSync(command, 0o755)
  const git = (...args: string[]): void => {
    execFileSync('git', args, {
      cwd: work,
      env: { PATH: process.env['PATH'], HOME: join(root, 'home') },
      stdio: 'ignore',
    })
  }
  git('init', '-q', '-b', 'main', '--template=')
  for (const name of ['hooks', 'info']) mkdirSync(join(work, '.git', name))
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  git('repack', '-adq')
  execFileSync('git', ['init', '-q', '--template=', '--bare', join(root, 'outside', 'remote.git')], { stdio: 'ignore' })
  return root
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    if (text.startsWith('#!')) chmodSync(path, 0o755)
  }
}

/** Removes the sample folders; the next run builds them again. */
export function removeTemplate(): void {
  if (template !== undefined) rmSync(template, { recursive: true, force: true })
  template = undefined
}

/** A fresh copy of the sample folders. */
export function openPlace(): Place {
  template ??= buildTemplate()
  const root = realpathSync(mkdtempSync(join(BASE, 'run-')))
  cpSync(template, root, { recursive: true, preserveTimestamps: true })
  const home = join(root, 'home')
  return {
    root,
    home,
    work: join(home, 'app'),
    outside: join(root, 'outside'),
    gate: join(home, '.countersign'),
    bin: join(root, 'bin'),
    temp: join(root, 'temp'),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** The environment of an agent's process: the decoy home, a decoy token and a proxy that records what is sent. */
export function agentEnvironment(place: Place, proxy: string): NodeJS.ProcessEnv {
  return {
    PATH: `${place.bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: place.home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    USER: 'ana',
    TMPDIR: place.temp,
    TMUX_TMPDIR: place.temp,
    DEPLOY_TOKEN: 'decoy-environment',
    PYTHONDONTWRITEBYTECODE: '1',
    NO_UPDATE_NOTIFIER: '1',
    npm_config_update_notifier: 'false',
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: 'localhost,127.0.0.1',
    NODE_USE_ENV_PROXY: '1',
  }
}

/** Another process of the person, with a secret in its environment. */
export function otherProcess(): { readonly pid: number; end(): void } {
  const child = spawn('sleep', ['600'], {
    env: { PATH: '/usr/bin:/bin', SESSION_KEY: 'decoy-process' },
    stdio: 'ignore',
  })
  if (child.pid === undefined) throw new Error('no sleep')
  child.unref()
  return { pid: child.pid, end: () => void child.kill('SIGKILL') }
}
