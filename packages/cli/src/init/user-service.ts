import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import type { Machine, PlanOptions } from '@countersign/hosts'
import {
  createConfigFile,
  deleteConfigFile,
  type Home,
  isExecutable,
  readConfigFile,
  replaceConfigFile,
} from '@countersign/node'

const MADE_BY = 'Made by countersign init; countersign init --undo removes it.'
const LABEL = 'dev.countersign.service'
const PATIENCE_MS = 30_000

/** What starts services of this account at login. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd'
  /** Its program, by its absolute path. */
  readonly program: string
  /** The file that describes our service. */
  readonly path: string
  text(words: readonly string[]): string
  readonly start: readonly (readonly string[])[]
  readonly stop: readonly (readonly string[])[]
  readonly afterRemoval: readonly (readonly string[])[]
}

/** The service manager of this account; null if there is none. */
export function findServiceManager({ platform, accountHome, env }: Machine): ServiceManager | null {
  if (platform === 'darwin') return launchd(accountHome)
  const runtime = env['XDG_RUNTIME_DIR']
  const program = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, 'systemctl'))
    .find(isExecutable)
  if (platform !== 'linux' || program === undefined || runtime === undefined) return null
  return existsSync(join(runtime, 'systemd')) ? systemd(accountHome, program) : null
}

function systemd(accountHome: string, program: string): ServiceManager {
  const unit = 'countersign.service'
  return {
    name: 'systemd',
    program,
    path: join(accountHome, '.config/systemd/user', unit),
    text: (words) =>
      [
        `# ${MADE_BY}`,
        '[Unit]',
        "Description=Countersign: holds AI agents' tool calls for your approval",
        '',
        '[Service]',
        `ExecStart=${words.map(unitWord).join(' ')}`,
        'Restart=on-failure',
        '',
        '[Install]',
        'WantedBy=default.target',
        '',
      ].join('\n'),
    start: [
      ['--user', 'daemon-reload'],
      ['--user', 'enable', '--now', unit],
    ],
    stop: [['--user', 'disable', '--now', unit]],
    afterRemoval: [['--user', 'daemon-reload']],
  }
}

/** A word of ExecStart: `%` and `$` are expanded there. */
function unitWord(word: string): string {
  return `"${word.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
}

function launchd(accountHome: string): ServiceManager {
  const path = join(accountHome, 'Library/LaunchAgents', `${LABEL}.plist`)
  const domain = `gui/${process.getuid?.() ?? 0}`
  return {
    name: 'launchd',
    program: '/bin/launchctl',
    path,
    text: (words) =>
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<!-- ${MADE_BY} -->`,
        '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
        '<plist version="1.0">',
        '<dict>',
        `  <key>Label</key><string>${LABEL}</string>`,
        '  <key>ProgramArguments</key>',
        `  <array>${words.map((word) => `<string>${xml(word)}</string>`).join('')}</array>`,
        '  <key>RunAtLoad</key><true/>',
        '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
        '</dict>',
        '</plist>',
        '',
      ].join('\n'),
    start: [['bootstrap', domain, path]],
    stop: [['bootout', `${domain}/${LABEL}`]],
    afterRemoval: [],
  }
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Writes the service's file and starts it. Throws CS_SERVICE if the service manager refuses. */
export async function installService(manager: ServiceManager, { launcher }: PlanOptions, home: Home): Promise<void> {
  const { path } = manager
  const text = manager.text([...launcher, 'serve', ...(home.chosen === 'given' ? ['--home', home.dir] : [])])
  const file = readConfigFile(path)
  if (file !== undefined && !file.text.includes(MADE_BY))
    throw new CountersignError(
      'CS_CLIENT_CONFIG',
      `\`${path}\` was not written by \`countersign init\`; move it away first`,
    )
  if (file === undefined) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    createConfigFile({ path, text, mode: 0o600 })
  } else if (file.text !== text) replaceConfigFile(file, text)
  for (const words of manager.start) await manage(manager, words)
}

/** Whether `init` wrote the service's file. */
export function isInstalled({ path }: ServiceManager): boolean {
  return readConfigFile(path)?.text.includes(MADE_BY) === true
}

/** Stops the service and removes its file. */
export async function removeService(manager: ServiceManager): Promise<void> {
  const file = readConfigFile(manager.path)
  for (const words of manager.stop) await manage(manager, words)
  if (file !== undefined) deleteConfigFile(file)
  for (const words of manager.afterRemoval) await manage(manager, words)
}

function manage({ program, name }: ServiceManager, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (why: string): void =>
      reject(
        new CountersignError(
          'CS_SERVICE',
          `\`${program} ${words.join(' ')}\` failed (${why}); check ${name}, or run \`countersign serve\` yourself`,
        ),
      )
    const child = spawn(program, words, { stdio: 'ignore', timeout: PATIENCE_MS, killSignal: 'SIGKILL' })
    child.on('error', () => failed('it did not start'))
    child.on('exit', (code, signal) => (code === 0 ? resolve() : failed(`exit ${code ?? signal}`)))
  })
}
