import type { CommandWord } from '../../command/decomposition.ts'
import { type Assess, anyPrefix, type PartFacts } from '../facts.ts'
import { finding, type RiskFinding } from '../finding.ts'
import { gitFolders } from '../git-folders.ts'
import { riskRank } from '../level.ts'
import { isInside } from '../place.ts'
import { byVerb } from '../verb-levels.ts'

const verbs = byVerb({
  family: 'git',
  verbs: {
    none:
      'status,log,diff,show,blame,annotate,shortlog,describe,rev-parse,rev-list,ls-files,ls-tree,ls-remote,' +
      'cat-file,name-rev,merge-base,for-each-ref,show-ref,show-branch,grep,help,version,whatchanged,range-diff,' +
      'cherry,count-objects,diff-tree,diff-index,diff-files,verify-commit,verify-tag,check-ignore,check-attr,' +
      'var,fsck,stash list,stash show,remote show,remote get-url,remote -v,worktree list,submodule status,' +
      'bisect log,bisect view,reflog show,notes show,notes list,config get,config list,lfs ls-files,lfs status,' +
      'bundle verify,sparse-checkout list',
    low:
      'add,commit,fetch,switch,stash,stash push,stash save,stash pop,stash apply,reset,tag,branch,init,' +
      'worktree add,notes,bisect,mv,maintenance,worktree prune,stage,sparse-checkout,lfs fetch,lfs track,' +
      'remote,reflog',
    medium:
      'pull,merge,cherry-pick,revert,clone,submodule,apply,am,push,checkout,restore,rm,config,remote add,' +
      'remote set-url,remote remove,remote rename,archive,bundle,format-patch,gc,lfs pull,lfs push,subtree,' +
      'mergetool,update-index,read-tree,write-tree,commit-tree,hash-object',
    high:
      'rebase,clean,filter-branch,filter-repo,replace,update-ref,stash drop,stash clear,branch -D,' +
      'worktree remove,bisect run,submodule foreach,submodule deinit,symbolic-ref,difftool,send-email,daemon,' +
      'instaweb,lfs prune,svn,p4,credential,fast-import,remote prune,prune,repack,reflog delete',
    critical: 'reflog expire',
  },
  otherwise: 'high',
  dry: [],
  dryVerbs: ['push', 'clean', 'add', 'fetch', 'rm', 'commit', 'mv', 'prune', 'apply'],
  raises: [
    {
      verbs: ['push'],
      flags: ['--force', '-f', '--force-with-lease', '--force-if-includes', '--delete', '-d', '--mirror', '--prune'],
      level: 'high',
      text: 'rewrites or deletes what others have',
    },
    { verbs: ['reset'], flags: ['--hard', '--merge', '--keep'], level: 'high', text: 'throws changes away' },
    {
      verbs: ['checkout', 'switch'],
      flags: ['-f', '--force', '--discard-changes'],
      level: 'high',
      text: 'throws changes away',
    },
    {
      verbs: ['branch'],
      flags: ['-D', '-M', '-C', '--force', '-f'],
      level: 'high',
      text: 'deletes or moves a branch by force',
    },
    { verbs: ['tag'], flags: ['-d', '--delete', '-f', '--force'], level: 'medium', text: 'deletes or moves a tag' },
    {
      verbs: ['clone'],
      flags: ['-u', '-c', '--config'],
      level: 'high',
      text: 'is given a setting that can run a program',
    },
    { verbs: ['commit'], flags: ['--amend'], level: 'medium', text: 'rewrites the last commit' },
    {
      verbs: ['config'],
      flags: ['--global', '--system', '--edit', '-e'],
      level: 'high',
      text: 'changes settings for every repository',
    },
    { verbs: ['gc'], flags: ['--prune', '--aggressive'], level: 'high', text: 'drops what could still be recovered' },
    {
      flags: [
        '--upload-pack',
        '--receive-pack',
        '--exec',
        '-x',
        '--ext-diff',
        '--textconv',
        '--output',
        '--open-files-in-pager',
        '-O',
        '--extcmd',
        '--template',
        '--separate-git-dir',
      ],
      level: 'high',
      text: 'may run another program or write a file',
    },
  ],
})

/** Settings that change nothing but how things look. */
const HARMLESS =
  /^(?:color\.[\w.]+|core\.quotepath|core\.pager=(?:cat)?$|user\.(?:name|email)|advice\.[\w.]+|init\.defaultbranch|log\.\w+|diff\.(?:renames|context)|commit\.gpgsign)(?:=|$)/i

/** A setting given before the verb can name a program that git then runs. */
function injects(before: readonly CommandWord[]): boolean {
  return before.some(({ value }, at) => {
    if (value === null) return true
    if (value === '-c') return !HARMLESS.test(before[at + 1]?.value ?? '')
    if (value === '-p' || value === '--paginate') return true
    return value.startsWith('--config-env') || value.startsWith('--exec-path=') || /^-c./.test(value)
  })
}

const DISCARDS = new Set(['.', ':/', '*', './'])

/** Verbs that look at no repository where they are started. */
const STARTS = new Set(['clone', 'init', 'version'])

export const assessGit: Assess = (facts) => {
  const own = assessUse(facts)
  const foreign = assessRepository(facts)
  return foreign === null || riskRank(foreign.level) <= riskRank(own.level) ? own : foreign
}

/** A repository's own settings name programs that git runs, so whose repository it is matters. */
function assessRepository({ part, verb, paths, places, folder }: PartFacts): RiskFinding | null {
  if (verb.kind === 'none' || (verb.kind === 'verb' && STARTS.has(verb.verb))) return null
  const outside = gitFolders(part)
    .map((given) => paths.find((path) => path.given === given) ?? folder)
    .filter(({ at }) => at === null || !isInside(at, places.workspace))
  if (outside.length === 0) return null
  if (outside.some(({ place }) => place === null || place === 'temp' || place === 'device'))
    return finding(
      'high',
      'git.foreign',
      'git obeys a repository in a place anybody can write or nobody knows',
      'unknown',
    )
  return finding('medium', 'git.foreign', 'git obeys a repository outside the workspace', 'unknown')
}

const assessUse: Assess = (facts) => {
  const { part, verb } = facts
  const before = verb.kind === 'verb' ? part.args.slice(0, part.args.length - verb.rest.length) : part.args
  if (injects(before))
    return finding('high', 'git.injection', 'git is given a setting that can run a program', 'unknown')
  if (anyPrefix(part, 'ext::', 'fd::'))
    return finding('high', 'git.injection', 'git is given an address that runs a program', 'unknown')
  if (verb.kind !== 'verb') return verbs(facts)
  const rest = verb.rest.map((word) => word.value)
  if (verb.verb === 'push' && rest.some((word) => word !== null && /^\+|^:./.test(word))) {
    return finding('high', 'git.force-push', 'git push rewrites or deletes what others have')
  }
  if ((verb.verb === 'checkout' || verb.verb === 'restore') && !rest.includes('--staged') && !rest.includes('-S')) {
    if (rest.some((word) => word !== null && DISCARDS.has(word)))
      return finding('high', 'git.discard', `git ${verb.verb} throws changes away`, 'no')
    if (verb.verb === 'checkout' && !rest.includes('--')) {
      // A plain switch of branch keeps changes or refuses.
      return rest.includes('-f') || rest.includes('--force')
        ? verbs(facts)
        : finding('low', 'git.low', 'git checkout changes the branch')
    }
  }
  if (verb.verb === 'restore' && rest.includes('--staged') && !rest.includes('--worktree'))
    return finding('low', 'git.low', 'git restore unstages')
  if (verb.verb === 'clean' && rest.some((word) => word !== null && /^-[a-zA-Z]*n/.test(word)))
    return finding('none', 'git.dry-run', 'git clean only lists')
  if (verb.verb === 'push' && rest.includes('-n'))
    return finding('none', 'git.dry-run', 'git push only shows what it would do')
  if (
    (verb.verb === 'branch' || verb.verb === 'tag' || verb.verb === 'remote' || verb.verb === 'reflog') &&
    isListing(rest)
  ) {
    return finding('none', 'git.none', `git ${verb.verb} only lists`)
  }
  if (verb.verb === 'config') return assessConfig(facts, rest)
  if (verb.verb === 'gc' && rest.includes('--prune=now'))
    return finding('critical', 'git.critical', 'git gc drops the last way back')
  return verbs(facts)
}

function isListing(rest: readonly (string | null)[]): boolean {
  return rest.every(
    (word) =>
      word !== null &&
      /^(?:-[avrln]{1,3}|--list|--all|--remotes|--verbose|--show-current|--contains|--merged|--no-merged|--sort=[\w:-]+|--format=.*|--no-color|show|HEAD)$/.test(
        word,
      ),
  )
}

const assessConfig: (facts: Parameters<Assess>[0], rest: readonly (string | null)[]) => ReturnType<Assess> = (
  facts,
  rest,
) => {
  const writes = rest.filter((word) => word === null || !word.startsWith('-'))
  if (rest.some((word) => word !== null && /^(?:-l|--list|--get(?:-all|-regexp|-urlmatch)?|--show-origin)$/.test(word)))
    return finding('none', 'git.none', 'git config only reads')
  if (
    writes.length <= 1 &&
    !rest.some((word) => word !== null && /^--(?:unset|add|replace|remove|rename|edit)/.test(word))
  )
    return finding('none', 'git.none', 'git config only reads')
  if (
    writes.some(
      (word) =>
        word === null ||
        /^(?:core\.(?:hookspath|pager|editor|fsmonitor|sshcommand|askpass)|alias\.|credential\.|url\.|include|filter\.|diff\..*\.|merge\..*\.|gpg\.|protocol\.)/i.test(
          word,
        ),
    )
  ) {
    return finding('high', 'git.config', 'git config sets something that runs a program later')
  }
  return verbs(facts)
}
