import { join, resolve } from 'node:path'
import { asCountersignError, CountersignError, safeText } from '@countersign/core'
import {
  type Client,
  type ConfigPlan,
  type Gates,
  type Installation,
  type Labels,
  loadWrapping,
  type PlacedFile,
  type SearchScope,
} from '@countersign/mcp'
import { accountHome, type Home, openCrypto, openHome, systemClock } from '@countersign/node'
import { createPaint } from '@countersign/terminal/card'
import { homeFlag } from '../../home/inbox-address.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../../terminal/io.ts'
import { dataColumns, hangText } from '../../terminal/layout.ts'
import { isTyped } from '../../terminal/typed-confirmation.ts'
import { type ProxyFlags, proxyWords } from '../proxy/flags.ts'
import { readsRule, tellRule } from '../tools/suggested-rules.ts'
import { diffLines } from '../tools/tool-table.ts'

const {
  applyPlan,
  CLIENTS,
  findClient,
  findConfigs,
  findInstallation,
  labelOf,
  openLabels,
  planUnwrap,
  planWrap,
  unstableReason,
  usualPaths,
} = await loadWrapping()

export interface EditFlags extends ProxyFlags {
  readonly all?: true
  readonly dryRun?: true
  readonly yes?: true
  readonly accountHome?: string
  readonly server?: readonly string[]
  readonly launcher?: string
  readonly allowUnstablePath?: true
}

/** Puts the servers of one client, or of all clients, behind the gate. */
export function wrapClients(name: string | undefined, flags: EditFlags, io: Io): Promise<void> {
  const words = proxyWords(flags)
  const homeOption = resolvedHome(io)
  const installation = installationOf(flags, io)
  let labels: Labels | undefined
  let isPathWritten = false
  const plan: PlanFile = (file, home) => {
    const gates: Gates = { installation, homes: [home.dir, ...(homeOption === undefined ? [] : [homeOption])] }
    labels ??= openLabels(home, findConfigs(searchScope(flags, io)), gates, openCrypto(home))
    const planned = planWrap(file, home, { gates, home: homeOption, flags: words, only: flags.server ?? [], labels })
    isPathWritten ||= planned?.after !== planned?.file.text && file.place.base !== 'project'
    return planned
  }
  return edit(name, flags, io, 'wrap', plan, () => {
    if (isPathWritten) requireStablePath(installation, flags)
  })
}

/** Refuses to write a path that may disappear into a client's settings. Looking at the change is always possible. */
function requireStablePath({ unstable }: Installation, { allowUnstablePath, dryRun }: EditFlags): void {
  if (unstable === null || allowUnstablePath === true || dryRun === true) return
  throw new CountersignError(
    'CS_CLIENT_CONFIG',
    `${unstableReason(unstable)}; install it with \`npm install -g countersign\`, then wrap again with that one (for development: \`--allow-unstable-path\`)`,
  )
}

/** Takes the servers out again, byte for byte where nothing else changed since. */
export function unwrapClients(name: string | undefined, flags: EditFlags, io: Io): Promise<void> {
  const installation = installationOf(flags, io)
  const homeOption = resolvedHome(io)
  return edit(name, flags, io, 'unwrap', (file, home) => {
    const isAccountHome =
      homeOption === undefined || [homeOption, home.dir].includes(join(accountHome() ?? '', '.countersign'))
    const homes = [home.dir, homeOption ?? null, ...(isAccountHome ? [null] : [])]
    return planUnwrap(file, home, { installation, homes, only: flags.server ?? [] })
  })
}

/** `--home` as `wrap` writes it. */
function resolvedHome(io: Io): string | undefined {
  return io.home === undefined ? undefined : resolve(io.cwd, io.home)
}

/** The running program. The value of `--launcher` is taken on trust. */
function installationOf({ launcher }: EditFlags, io: Io): Installation {
  const path = launcher?.includes('/') === true ? resolve(io.cwd, launcher) : launcher
  const [, script] = process.argv
  return findInstallation({
    node: process.execPath,
    nodeFlags: process.execArgv,
    script,
    path: io.env['PATH'],
    ...(path === undefined ? {} : { launcher: path }),
  })
}

type PlanFile = (file: PlacedFile, home: Home) => ConfigPlan | undefined

async function edit(
  name: string | undefined,
  flags: EditFlags,
  io: Io,
  verb: 'wrap' | 'unwrap',
  plan: PlanFile,
  checkPlans = (): void => {},
): Promise<void> {
  const home = openHome(resolvedHome(io))
  const files = filesOf(name, flags, io)
  const plans: ConfigPlan[] = []
  for (const file of files) {
    try {
      const one = plan(file, home)
      if (one !== undefined) plans.push(one)
    } catch (error) {
      // One unreadable file must not leave the other clients unprotected; the message and the exit code report it.
      tellFailed(error, `cannot read \`${file.path}\``, io)
    }
  }
  const changing = plans.filter((one) => one.after !== one.file.text)
  if (!io.json) for (const one of plans) showPlan(one, verb, io)
  if (changing.length === 0 && !io.json) say(io, `nothing to ${verb}`)
  checkPlans()
  const agreed = changing.length > 0 && flags.dryRun !== true && (flags.yes === true || (await isAgreed(changing, io)))
  const written = agreed ? changing.filter((one) => isApplied(one, home, io)) : []
  if (io.json)
    return printJson(
      io,
      plans.map((one) => planData(one, written.includes(one))),
    )
  if (agreed) tellWritten(written, changing, verb, home, io)
  else if (changing.length > 0) {
    say(io, flags.dryRun === true ? 'nothing was changed (--dry-run)' : 'nothing was changed')
    if (flags.dryRun !== true) io.exit(EXIT.failed.code)
  }
}

/** Writes one file; a failure is reported and does not stop the others. */
function isApplied(plan: ConfigPlan, home: Home, io: Io): boolean {
  try {
    applyPlan(plan, home, systemClock.now())
    return true
  } catch (error) {
    tellFailed(error, `cannot write \`${plan.file.path}\`; check the permissions of the file and its folder`, io)
    return false
  }
}

function tellFailed(error: unknown, otherwise: string, io: Io): void {
  const { code, message } = asCountersignError(error, 'CS_CLIENT_CONFIG', otherwise)
  say(io, `countersign: ${safeText(message)} [${code}]`)
  io.exit(EXIT.failed.code)
}

function tellWritten(
  written: readonly ConfigPlan[],
  changing: readonly ConfigPlan[],
  verb: 'wrap' | 'unwrap',
  home: Home,
  io: Io,
): void {
  const clients = new Set(written.map(({ client }) => client.id))
  const named = clients.size === 1 ? [...clients].join('') : '--all'
  const [done, next] =
    verb === 'wrap'
      ? ['wrapped', `restart the client. To undo: \`countersign mcp unwrap ${named}${homeFlag(home)}\``]
      : ['unwrapped', 'restart the client']
  const isPart = written.length < changing.length
  const files = isPart ? ` ${written.map(({ file }) => `\`${safeText(file.path)}\``).join(', ')}, not the rest` : ''
  say(io, written.length === 0 ? 'nothing was changed' : `${done}${files}; ${next}`)
  if (verb === 'unwrap' || written.length === 0) return
  const labels = new Set(written.flatMap(({ servers }) => servers.flatMap(({ label }) => label ?? [])))
  if (written.some(({ servers }) => servers.some(({ isOverHttp }) => isOverHttp)))
    say(io, `if an HTTP server requires sign-in, run \`countersign mcp sign-in <url>${homeFlag(home)}\` once`)
  const why = 'Every call to these servers waits for your approval until a rule allows it. To let reads run'
  tellRule(why, readsRule([...labels]), home, io)
}

function isAgreed(plans: readonly ConfigPlan[], io: Io): Promise<boolean> {
  const files = plans.length === 1 ? 'this file' : `these ${plans.length} files`
  return isTyped(
    'yes',
    `Change ${files}? Type yes: `,
    io,
    'no terminal to ask on; check the change with `--dry-run`, then pass `--yes`',
  )
}

function filesOf(name: string | undefined, flags: EditFlags, io: Io): readonly PlacedFile[] {
  if ((name === undefined) === (flags.all === undefined))
    throw new CountersignError(
      'CS_USAGE',
      `name a client or pass \`--all\`; known clients: ${CLIENTS.map(({ id }) => id).join(', ')}`,
    )
  const at = searchScope(flags, io)
  const client = name === undefined ? undefined : clientOf(name)
  const files = findConfigs(at, client)
  if (files.length > 0 || client === undefined) return files
  const paths = usualPaths(at, client).map((path) => `\`${safeText(path)}\``)
  throw new CountersignError(
    'CS_CLIENT_CONFIG',
    `${client.name} has no configuration at ${paths.join(' or ')}; add a server there first`,
  )
}

function clientOf(name: string): Client {
  const client = findClient(name)
  if (client !== undefined) return client
  const known = CLIENTS.map(({ id }) => id).join(', ')
  throw new CountersignError('CS_USAGE', `unknown client \`${safeText(name)}\`; known clients: ${known}`)
}

/** SECURITY: the account's home, not `HOME`: whoever sets an agent's environment must not choose which files are edited. */
function searchScope(flags: EditFlags, io: Io): SearchScope {
  const home = flags.accountHome === undefined ? accountHome() : resolve(io.cwd, flags.accountHome)
  if (home === undefined)
    throw new CountersignError('CS_USAGE', 'this account has no home folder; pass one with `--account-home <dir>`')
  return { home, platform: process.platform, project: io.cwd }
}

/** Prints the planned changes of one file, server by server. */
function showPlan({ client, file, servers, notes: all, restores }: ConfigPlan, verb: 'wrap' | 'unwrap', io: Io): void {
  const columns = dataColumns(io)
  const paint = createPaint(io.color)
  print(io, safeText(`${client.name}  ${file.path}${restores ? ' (restored byte for byte)' : ''}`))
  for (const { name, label, left, isRestored, notes, lines } of servers) {
    const renamed = label === labelOf(name) ? '' : ` (\`${labelOf(name)}\` is another server)`
    const unwrapped = isRestored || restores ? 'restored' : 'no longer behind the gate'
    const words =
      left === null ? (verb === 'wrap' ? `behind the gate as ${label}${renamed}` : unwrapped) : `unchanged: ${left}`
    for (const line of hangText(safeText(`  ${name}: ${words}`), columns, 4)) print(io, line)
    for (const note of notes) for (const line of hangText(safeText(`    note: ${note}`), columns, 6)) print(io, line)
    for (const line of diffLines(lines, columns - 2, paint)) print(io, `  ${line}`)
  }
  for (const note of all) for (const line of hangText(safeText(`  note: ${note}`), columns, 4)) print(io, line)
}

/** The plan for `--json`. */
function planData({ client, file, servers, notes: all, restores }: ConfigPlan, written: boolean) {
  const list = servers.map(({ name, label, left, notes }) => ({ name, label, left, notes }))
  return { client: client.id, file: file.path, restores, written, notes: all, servers: list }
}
