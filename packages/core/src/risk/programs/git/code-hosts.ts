import type { CommandPart } from '../../../command/model/decomposition.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'
import { byRows, type VerbRow } from '../assessor/verb-table.ts'

const GH_ROWS: readonly VerbRow[] = [
  [
    'none',
    'yes',
    'only reads',
    'pr list,pr ls,pr view,pr diff,pr status,pr checks,issue list,issue ls,issue view,issue status,run list,run view,' +
      'run watch,repo view,repo list,release list,release ls,release view,workflow list,workflow view,search,search repos,' +
      'search code,search issues,search prs,search commits,status,label list,gist list,gist view,cache list,variable list,' +
      'variable get,secret list,auth status,ruleset list,ruleset view,ruleset check,help,version,project list,project view,' +
      'project item-list,project field-list,extension list,extension search,alias list,config get,config list,ssh-key list,' +
      'gpg-key list,codespace list,codespace view,codespace logs,attestation verify,repo gitignore,repo license,org list,' +
      'completion,release verify,repo deploy-key list,repo autolink list,discussion list,discussion view,copilot explain',
  ],
  [
    'low',
    'yes',
    'changes the local repository or settings a little',
    'pr checkout,pr co,co,repo set-default,alias set,alias import,alias delete,config set,config clear-cache,browse,extension browse',
  ],
  [
    'medium',
    'yes',
    'fetches files',
    'repo clone,run download,release download,gist clone,attestation download,extension upgrade',
  ],
  [
    'medium',
    'partly',
    'writes something others see',
    'pr create,pr new,pr comment,pr review,pr edit,pr ready,pr lock,pr unlock,pr update-branch,issue create,issue new,' +
      'issue comment,issue edit,issue close,issue reopen,issue pin,issue unpin,issue lock,issue unlock,issue develop,' +
      'pr close,pr reopen,label create,label edit,label clone,gist create,gist rename,repo fork,repo create,repo sync,' +
      'run rerun,run cancel,auth login,auth logout,auth refresh,auth switch,auth setup-git,project create,project item-add,' +
      'project item-create,project item-edit,project edit,project copy,project link,discussion create,discussion comment,copilot suggest,' +
      'codespace create,codespace stop,codespace code,codespace ports,preview',
  ],
  [
    'high',
    'partly',
    'changes what others rely on',
    'pr merge,pr revert,release create,release edit,release upload,workflow run,workflow enable,workflow disable,repo edit,repo archive,' +
      'repo unarchive,repo rename,repo deploy-key,repo deploy-key add,ruleset,ssh-key add,gpg-key add,codespace ssh,' +
      'codespace cp,codespace rebuild,extension install,extension exec,extension create,issue transfer,gist edit,project close,project mark-template,repo autolink create',
  ],
  [
    'high',
    'no',
    'deletes on the server',
    'release delete,release delete-asset,gist delete,issue delete,cache delete,run delete,label delete,ssh-key delete,gpg-key delete,codespace delete,project delete,project item-delete,project field-delete,repo deploy-key delete,extension remove,repo autolink delete',
  ],
  [
    'high',
    'no',
    'changes secrets or settings of pipelines',
    'secret set,secret delete,secret remove,variable set,variable delete',
  ],
  ['high', 'no', 'prints a credential', 'auth token'],
  ['critical', 'no', 'deletes a repository for everybody', 'repo delete', 'all'],
]

const gh = byRows({
  family: 'github',
  shape: 'closed',
  otherwise: 'high',
  rows: GH_ROWS,
  flags: [
    { verbs: 'gist create', flags: '-p --public', level: 'high', back: 'no', says: 'publishes files to everybody' },
    {
      verbs: 'repo create, repo edit',
      flags: '--public',
      level: 'high',
      back: 'partly',
      says: 'makes a repository public',
    },
    { verbs: 'repo sync', flags: '--force', level: 'high', back: 'partly', says: 'overwrites a branch' },
    { verbs: 'auth status', flags: '-t --show-token', level: 'high', back: 'no', says: 'prints a credential' },
    {
      verbs: 'pr close',
      flags: '-d --delete-branch',
      level: 'high',
      back: 'partly',
      says: 'deletes a branch on the server',
    },
  ],
  valued:
    '-R --repo -L --limit -t --title -b --body -F --body-file -B --base -H --head -l --label -a --assignee -s --state ' +
    '-q --jq --json --template -S --search -m --milestone -r --reviewer -c --comment --author -w --workflow --branch',
})

/** The HTTP method an `api` command uses; null when it reads. */
function methodOf(part: CommandPart): string | null {
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? ''
    if (value === '-X' || value === '--method' || value === '--request')
      return part.args[at + 1]?.value?.toUpperCase() ?? '?'
    const joined = /^(?:-X|--method=|--request=)([A-Za-z]{1,10})$/.exec(value)?.[1]
    if (joined !== undefined) return joined.toUpperCase()
  }
  return anyFlag(part, '-f', '-F', '--field', '--raw-field', '--input', '--form') ? 'POST' : 'GET'
}

/** `gh api` and `glab api`: by method, and GraphQL by whether it is a mutation. */
function assessApi(part: CommandPart, program: string, rest: readonly (string | null)[]) {
  if (rest.includes('graphql')) {
    const query = part.args.find(({ value }) => value === null || /^(?:--?(?:raw-)?field=)?query=/.test(value))
    const reads = query?.value != null && !/\bmutation\b/.test(query.value) && !/query=@/.test(query.value)
    return reads
      ? finding('none', 'github.api', `${program} api only reads`)
      : finding('high', 'github.api', `${program} api changes something on the server, or is not known`)
  }
  const method = methodOf(part)
  if (method === 'GET' || method === 'HEAD') return finding('none', 'github.api', `${program} api only reads`)
  const path = rest.find(
    (word): word is string => word !== null && /^\/?[\w{}./-]{1,120}$/.test(word) && word.includes('/'),
  )
  const whole =
    method === 'DELETE' && /^\/?(?:repos\/[^/]+\/[^/]+|projects\/[^/]+|orgs\/[^/]+|groups\/[^/]+)$/.test(path ?? '')
  const extent = path === undefined ? undefined : { reach: whole ? ('all' as const) : ('one' as const), target: path }
  if (whole)
    return finding('critical', 'github.api', `${program} api deletes a whole repository or group`, 'no', extent)
  return finding(
    'high',
    'github.api',
    `${program} api changes something on the server`,
    method === 'DELETE' ? 'no' : 'partly',
    extent,
  )
}

export const assessGh: Assess = (facts) => {
  const { part, verb, program } = facts
  if (verb.kind !== 'verb' || verb.verb !== 'api') return gh(facts)
  return assessApi(
    part,
    program,
    verb.rest.map((word) => word.value),
  )
}

const glab = byRows({
  family: 'gitlab',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'mr list,mr ls,mr view,mr show,mr diff,mr issues,mr approvers,issue list,issue ls,issue view,issue show,ci list,ci view,' +
        'ci status,ci trace,ci get,ci lint,ci config,pipeline list,pipeline status,repo view,repo list,repo search,repo contributors,' +
        'release list,release view,label list,variable list,variable get,auth status,version,help,snippet list,user events,' +
        'schedule list,ssh-key list,config get,cluster agent list,incident list,incident view,job list',
    ],
    ['low', 'yes', 'changes the local repository or settings a little', 'mr checkout,alias set,config set,completion'],
    ['medium', 'yes', 'fetches files', 'repo clone,release download,ci artifact,job artifact'],
    [
      'medium',
      'partly',
      'writes something others see',
      'mr create,mr new,mr note,mr update,mr close,mr reopen,mr approve,mr revoke,mr rebase,mr todo,mr subscribe,issue create,' +
        'issue new,issue note,issue close,issue reopen,issue update,ci retry,ci cancel,label create,repo fork,repo create,' +
        'snippet create,auth login,auth logout,issue subscribe',
    ],
    [
      'high',
      'partly',
      'changes what others rely on',
      'mr merge,mr accept,release create,release upload,ci run,ci trigger,variable set,variable update,repo transfer,repo archive,repo mirror,repo update,schedule run,schedule create,ssh-key add,deploy-key add,token create,token rotate',
    ],
    [
      'high',
      'no',
      'deletes on the server',
      'release delete,variable delete,issue delete,mr delete,ci delete,label delete,schedule delete,ssh-key delete,token revoke,snippet delete',
    ],
    ['critical', 'no', 'deletes a repository for everybody', 'repo delete,project delete', 'all'],
  ],
  valued:
    '-R --repo -P --per-page -p --page -t --title -d --description -l --label -a --assignee -b --target-branch -s --source-branch -m --message',
})

export const assessGlab: Assess = (facts) => {
  const { part, verb, program } = facts
  if (verb.kind !== 'verb' || verb.verb !== 'api') return glab(facts)
  return assessApi(
    part,
    program,
    verb.rest.map((word) => word.value),
  )
}

/** `hub` and `tea`: git hosts' older and smaller clients. */
export const assessHub = byRows({
  family: 'hub',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'pr list,pr show,issue,issue show,ci-status,release,release show,browse,compare,status,log,diff,show,pulls,pulls list,issues,issues list,repos,repos list,releases,releases list,help,version,whoami',
    ],
    [
      'medium',
      'partly',
      'writes something others see',
      'pull-request,issue create,issue update,fork,create,pr checkout,clone,fetch,push,pull,merge,cherry-pick,am,apply,pulls create,issues create,gist create,sync',
    ],
    [
      'high',
      'partly',
      'changes what others rely on',
      'pr merge,pulls merge,release create,release edit,release delete,releases create,releases delete,api',
    ],
    ['critical', 'no', 'deletes a repository for everybody', 'delete,repos delete', 'all'],
  ],
})
