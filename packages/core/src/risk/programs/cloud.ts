import { type Assess, anyFlag } from '../facts.ts'
import { finding } from '../finding.ts'
import { byVerb } from '../verb-levels.ts'

const terraform = byVerb({
  family: 'cloud',
  verbs: {
    none:
      'validate,show,output,version,providers,graph,state list,state show,workspace list,workspace show,fmt,' +
      'console,metadata,plan,help',
    low: 'init,get,workspace select,test,workspace new',
    medium: 'login,logout,refresh,providers lock,providers mirror,workspace',
    high: 'apply,import,taint,untaint,state,state rm,state mv,state push,force-unlock,workspace delete',
    critical: 'destroy',
  },
  otherwise: 'high',
  raises: [
    { verbs: ['apply'], flags: ['-destroy', '--destroy'], level: 'critical', text: 'destroys resources' },
    { verbs: ['plan'], flags: ['-out', '--out'], level: 'low', text: 'writes a plan' },
  ],
})

export const assessTerraform: Assess = (facts) => terraform(facts)

export const assessPulumi = byVerb({
  family: 'cloud',
  verbs: {
    none: 'preview,whoami,version,about,stack ls,stack output,diff,list,ls,synth,doctor,docs,metadata',
    low: 'stack select,login,install',
    high: 'up,update,refresh,import,cancel,state,deploy,bootstrap,import,config',
    critical: 'destroy,stack rm',
  },
  otherwise: 'high',
})

const READS =
  /^(?:list|describe|get|show|head|lookup|search|scan|query|view|ls|help|version|info|status|wait|batch-get|estimate|validate|check|test|explain|history|tail)(?:-|$)/
const SECRETS =
  /secret-value|get-parameter|with-decryption|access-token|print-access|print-identity|get-login|session-token|get-credentials|list-keys|get-password|(?:^|-)token$|export-credentials/
const DESTROYS =
  /^(?:delete|remove|terminate|destroy|purge|drop|rb|schedule-key-deletion|empty|wipe|deregister|release|rm)(?:-|$)/
const WHOLE =
  /project|group|stack|bucket|db-instance|db-cluster|table|instance|cluster|key|vault|database|zone|account|organization|subscription|sql/
const COPIES = new Set(['cp', 'sync', 'mv', 'cat', 'rsync'])

/** The clouds' own commands: services, then a verb somewhere among the first words. */
export const assessCloud: Assess = ({ part, program, verb }) => {
  if (verb.kind === 'none') return finding('none', 'cloud.bare', `${program} without a command`)
  if (verb.kind === 'unknown')
    return finding('high', 'cloud.unknown', `what ${program} is told to do is not known`, 'unknown')
  if (part.args.some((word) => word.value === '--dryrun' || word.value === '--dry-run'))
    return finding('none', 'cloud.dry-run', `${program} only shows what it would do`)
  const words = [verb.verb]
  for (const { value } of verb.rest) {
    if (value === null || value.startsWith('-') || words.length === 5) break
    words.push(value)
  }
  const joined = words.join(' ')
  if (SECRETS.test(joined) || anyFlag(part, '--with-decryption'))
    return finding('high', 'cloud.secret', `${program} prints a secret`, 'no')
  if (words.some((word) => DESTROYS.test(word))) {
    const wide = anyFlag(part, '--recursive', '--force', '-r') || WHOLE.test(joined)
    return finding(wide ? 'critical' : 'high', 'cloud.destroy', `${program} deletes in the cloud`, 'no')
  }
  const copy = words.find((word) => COPIES.has(word))
  if (copy !== undefined)
    return finding(
      anyFlag(part, '--delete') || copy === 'mv' ? 'high' : 'medium',
      'cloud.copy',
      `${program} copies to or from the cloud`,
    )
  if (words.some((word) => READS.test(word))) return finding('none', 'cloud.read', `${program} only reads`)
  if (words[0] === 'configure' || words[0] === 'config' || words[0] === 'auth' || words[0] === 'login')
    return finding('medium', 'cloud.configure', `${program} changes its own settings`)
  return finding('high', 'cloud.change', `${program} changes things in the cloud`)
}

const gh = byVerb({
  family: 'github',
  verbs: {
    none:
      'pr list,pr view,pr diff,pr status,pr checks,issue list,issue view,issue status,run list,run view,' +
      'run watch,repo view,repo list,release list,release view,workflow list,workflow view,search,status,' +
      'browse,label list,gist list,gist view,cache list,variable list,secret list,auth status,ruleset list,' +
      'ruleset view,help,version,project list,project view',
    low:
      'pr checkout,repo clone,run download,release download,gist clone,repo set-default,alias,config,' +
      'extension list,co',
    medium:
      'pr create,pr comment,pr review,pr edit,pr ready,issue create,issue comment,issue edit,issue close,' +
      'issue reopen,pr close,pr reopen,label,gist create,repo fork,repo create,repo sync,run rerun,run cancel,' +
      'auth login,auth logout,auth refresh,project,discussion,extension',
    high:
      'pr merge,release create,release delete,release edit,release upload,workflow run,workflow enable,' +
      'workflow disable,secret set,secret delete,secret remove,variable set,variable delete,repo edit,' +
      'repo archive,repo rename,repo deploy-key,ruleset,auth token,gist delete,gist edit,issue delete,' +
      'issue transfer,ssh-key,gpg-key,cache delete,codespace,extension install,attestation,run delete',
    critical: 'repo delete',
  },
  otherwise: 'high',
})

export const assessGh: Assess = (facts) => {
  const { part, verb } = facts
  if (verb.kind !== 'verb' || verb.verb !== 'api') return gh(facts)
  const method = part.args.findIndex((word) => word.value === '-X' || word.value === '--method')
  const named =
    method === -1
      ? (/^(?:-X|--method=)(\w+)$/.exec(
          part.args.find((word) => /^(?:-X\w|--method=)/.test(word.value ?? ''))?.value ?? '',
        )?.[1] ?? null)
      : (part.args[method + 1]?.value ?? '?')
  const sends = anyFlag(part, '-f', '-F', '--field', '--raw-field', '--input')
  if (named !== null ? !/^get$/i.test(named) : sends)
    return finding('high', 'github.api', 'gh api changes something on GitHub')
  return finding('none', 'github.api', 'gh api only reads')
}
