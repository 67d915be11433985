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
  type Surroundings,
} from '@countersign/mcp'
import { accountHome, type Home, openCrypto, openHome, systemClock } from '@countersign/node'
import { homeFlag } from '../../home/inbox-address.ts'
import { refuseInside } from '../../home/nested-call-guard.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { type Io, printJson, say } from '../../terminal/io.ts'
import { isTyped } from '../../terminal/typed-confirmation.ts'
import { type ProxyFlags, proxyWords } from '../proxy/flags.ts'
import { readsRule, tellRule } from '../tools/suggested-rules.ts'
import { planData, showPlan } from './plan-view.ts'

const { applyPlan, CLIENTS, findClient, findConfigs, findInstallation, openLabels, planUnwrap, planWrap, usualPaths } =
  await loadWrapping()

export interface EditFlags extends ProxyFlags {
  readonly all?: true
  readonly dryRun?: true
  readonly yes?: true
  readonly accountHome?: string
  readonly server?: readonly string[]
  readonly launcher?: string
}

/** Puts the servers of one client, or of all, behind the gate. */
export function wrapClients(name: string | undefined, flags: EditFlags, io: Io): Promise<void> {
  const words = proxyWords(flags)
  const given = givenHome(io)
  const installation = installationOf(flags, io)
  let labels: Labels | undefined
  return edit(name, flags, io, 'wrap', (file, home) => {
    const gates: Gates = { installation, homes: [home.dir, ...(given === undefined ? [] : [given])] }
    labels ??= openLabels(home, findConfigs(surroundings(flags, io)), gates, openCrypto(home))
    return planWrap(file, home, { gates, home: given, flags: words, only: flags.server ?? [], labels })
  })
}

/** Takes them out again: byte for byte where nothing else was changed since. */
export function unwrapClients(name: string | undefined, flags: EditFlags, io: Io): Promise<void> {
  const installation = installationOf(flags, io)
  const given = givenHome(io)
  return edit(name, flags, io, 'unwrap', (file, home) => {
    const own = given === undefined || [given, home.dir].includes(join(accountHome() ?? '', '.countersign'))
    const homes = [home.dir, given ?? null, ...(own ? [null] : [])]
    return planUnwrap(file, home, { installation, homes, only: flags.server ?? [] })
  })
}

/** `--home`, as `wrap` writes it. */
function givenHome(io: Io): string | undefined {
  return io.home === undefined ? undefined : resolve(io.cwd, io.home)
}

/** This very program. What `--launcher` names is taken at the person's word. */
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

async function edit(
  name: string | undefined,
  flags: EditFlags,
  io: Io,
  verb: 'wrap' | 'unwrap',
  plan: (file: PlacedFile, home: Home) => ConfigPlan | undefined,
): Promise<void> {
  refuseInside(io)
  const home = openHome(givenHome(io))
  const files = filesOf(name, flags, io)
  const plans: ConfigPlan[] = []
  for (const file of files) {
    try {
      const one = plan(file, home)
      if (one !== undefined) plans.push(one)
    } catch (error) {
      // One client's file must not keep the others from being protected; it is said, and the exit code tells.
      tellFailed(error, `\`${file.path}\` cannot be read`, io)
    }
  }
  const changing = plans.filter((one) => one.after !== one.file.text)
  if (!io.json) for (const one of plans) showPlan(one, verb, io)
  if (changing.length === 0 && !io.json) say(io, `nothing to ${verb}`)
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

/** Writes one file. One that cannot be written is said, and keeps no other from being written. */
function isApplied(plan: ConfigPlan, home: Home, io: Io): boolean {
  try {
    applyPlan(plan, home, systemClock.now())
    return true
  } catch (error) {
    tellFailed(error, `\`${plan.file.path}\` cannot be written; check that it and its folder may be changed`, io)
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
  const clients = new Set(written.map(({ client }) => client.name))
  const named = clients.size === 1 ? [...clients].join('') : '--all'
  const [done, next] =
    verb === 'wrap'
      ? ['wrapped', `restart the client. \`countersign mcp unwrap ${named}${homeFlag(home)}\` takes it back`]
      : ['unwrapped', 'restart the client']
  const isPart = written.length < changing.length
  const files = isPart ? ` ${written.map(({ file }) => `\`${safeText(file.path)}\``).join(', ')}, not the rest` : ''
  say(io, written.length === 0 ? 'nothing was changed' : `${done}${files}; ${next}`)
  if (verb === 'unwrap' || written.length === 0) return
  const labels = new Set(written.flatMap(({ servers }) => servers.flatMap(({ label }) => label ?? [])))
  if (written.some(({ servers }) => servers.some(({ isOverHttp }) => isOverHttp)))
    say(io, `a server over HTTP that wants a sign-in needs \`countersign mcp sign-in <url>${homeFlag(home)}\` once`)
  const why = 'Every call of them waits for a person until a rule lets it run. To let run what only reads'
  tellRule(why, readsRule([...labels]), home, io)
}

function isAgreed(plans: readonly ConfigPlan[], io: Io): Promise<boolean> {
  const files = plans.length === 1 ? 'this file' : `these ${plans.length} files`
  return isTyped(
    'yes',
    `Change ${files}? Type yes: `,
    io,
    'there is no terminal to ask on; look with `--dry-run`, then give `--yes`',
  )
}

function filesOf(name: string | undefined, flags: EditFlags, io: Io): readonly PlacedFile[] {
  if ((name === undefined) === (flags.all === undefined))
    throw new CountersignError(
      'CS_USAGE',
      `name a client or give \`--all\`; known are ${CLIENTS.map(({ id }) => id).join(', ')}`,
    )
  const at = surroundings(flags, io)
  const client = name === undefined ? undefined : clientOf(name)
  const files = findConfigs(at, client)
  if (files.length > 0 || client === undefined) return files
  const paths = usualPaths(at, client).map((path) => `\`${safeText(path)}\``)
  throw new CountersignError(
    'CS_CLIENT_CONFIG',
    `${client.name} has no configuration at ${paths.join(' or ')}; set up a server there first`,
  )
}

function clientOf(name: string): Client {
  const client = findClient(name)
  if (client !== undefined) return client
  const known = CLIENTS.map(({ id }) => id).join(', ')
  throw new CountersignError('CS_USAGE', `no client \`${safeText(name)}\` is known; known are ${known}`)
}

/** SECURITY: the account's own home, not `HOME`: whoever sets an agent's environment must not choose what is edited. */
function surroundings(flags: EditFlags, io: Io): Surroundings {
  const home = flags.accountHome === undefined ? accountHome() : resolve(io.cwd, flags.accountHome)
  if (home === undefined)
    throw new CountersignError('CS_USAGE', 'this account has no home folder; name one with `--account-home <dir>`')
  return { home, platform: process.platform, project: io.cwd }
}
