import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix } from '../assessor/assessor.ts'
import { verbRater } from '../assessor/verb-table.ts'
import { FOREIGN, fromElsewhere, rateScript } from './project-tools.ts'
import { assessRunner, rateRun } from './runners.ts'

const rate = verbRater({
  family: 'packages',
  otherwise: 'low',
  bare: ['none', 'shows its help'],
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'ls,list,ll,la,view,info,show,v,search,s,se,find,outdated,why,help,help-search,root,prefix,bin,ping,whoami,explain,fund,' +
        'doctor,pkg get,config get,config list,config ls,c get,c list,audit,audit signatures,licenses,licenses list,get,query,' +
        'repo,docs,bugs,diff,dist-tag ls,dist-tags,team ls,org ls,cache ls,cache verify,cache list,cache dir,store path,store status,' +
        'owner ls,access list,access get,token list,profile get,workspaces list,workspaces info,pm ls,pm bin,pm cache,pm hash,npm info,npm whoami,' +
        'config,env list,completion,sbom,issues,home,global list,npm audit,constraints,explain peer-requirements,versions,pm whoami',
    ],
    [
      'low',
      'partly',
      'runs the project’s own code',
      'test,t,tst,start,stop,restart,build,lint,dev,format,check,typecheck,watch,serve,preview,coverage,compile,workspaces,workspace,rebuild,nx,turbo,node,exec,x,tests',
    ],
    [
      'low',
      'yes',
      'changes what can be made again',
      'pack,prune,dedupe,ddp,cache,cache clean,cache clear,store prune,pm cache rm,cache delete,cache rm',
    ],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'install,i,in,ins,isntall,ci,clean-install,ic,add,update,up,upgrade,udpate,remove,rm,uninstall,un,unlink,r,link,ln,import,pkg,pkg set,set-script,' +
        'pkg delete,patch,patch-commit,patch-remove,install-test,it,cit,audit fix,approve-builds,self-update,env,env use,env add,use,plugin,plugin import,' +
        'plugins,autoremove,fetch,shrinkwrap,pm trust,pm untrusted,pm migrate,set version,set,global add,global remove,deploy,unplug,rebuild,dlx,version,init,create,innit,upgrade-interactive,config set key,generate-lock-entry,up-interactive,c',
    ],
    ['medium', 'yes', 'stores or drops credentials', 'login,adduser,add-user,logout,npm login,npm logout'],
    ['high', 'no', 'publishes a package for everybody', 'publish,npm publish,stage,npm publish --access,pm publish'],
    [
      'high',
      'partly',
      'changes a package that others use',
      'deprecate,undeprecate,owner,owner add,owner rm,author,access,access set,access grant,access revoke,team,team add,team create,org,org set,org rm,dist-tag,dist-tag add,dist-tag rm,npm tag add,npm tag,hook,hook add,star,unstar,trust,tag',
    ],
    ['high', 'no', 'makes or hands out credentials', 'token,token create,token revoke,profile,profile set,npm token'],
    ['high', 'unknown', 'runs a command in a package’s folder', 'explore'],
    ['critical', 'no', 'takes a package away from all who depend on it', 'unpublish,npm unpublish', 'all'],
  ],
  flags: [
    {
      flags: '--script-shell --unsafe-perm --node-options --git',
      level: 'high',
      back: 'unknown',
      says: 'runs under changed safety settings',
    },
  ],
  valued:
    '-m --message --tag --otp --access --depth --omit --include --save-prefix --reporter --shell --jq -t --timeout --mode',
})

const RUNS = /^(?:run|run-script|rum|urn|task)$/
const FETCHES = /^(?:install|i|in|add|ci|update|up|upgrade|create|init|dlx|exec|x|link)$/
/** Settings that lead elsewhere or run something. */
const DANGEROUS_SETTING =
  /registry|script-shell|shell|proxy|strict-ssl|^_?auth|:_|node-options|init-module|onload-script|git$|cafile|userconfig|npmPublishRegistry|npmRegistryServer|plugins|yarnPath|enableScripts/i

/** npm, pnpm, yarn and bun. */
export const assessNodePackages: Assess = (facts) => {
  const { part, program, verb } = facts
  if (verb.kind === 'none' && program === 'yarn' && !anyFlag(part, '-v', '--version', '-h', '--help'))
    return finding('medium', 'packages.install', 'yarn installs packages', 'yes')
  if (verb.kind === 'none' && program === 'bun') return finding('none', 'packages.bare', 'bun shows its help')
  if (verb.kind !== 'verb') return rate(facts).finding
  const words = verb.rest.filter(({ value }) => value === null || !value.startsWith('-'))
  const first = words[0]?.value ?? null
  if (
    FETCHES.test(verb.verb) &&
    (anyPrefix(part, ...FOREIGN) || part.args.some(({ value }) => /^--?registry(?:=|$)/.test(value ?? '')))
  )
    return fromElsewhere(program)
  if (RUNS.test(verb.verb)) {
    if (words.length === 0) return finding('none', 'packages.list', `${program} lists the project’s scripts`)
    return first === null
      ? finding('high', 'packages.unknown', `${program} runs a script that is not known`, 'unknown')
      : rateScript(first, program)
  }
  if (verb.verb === 'dlx' || ((verb.verb === 'exec' || verb.verb === 'x') && (program === 'npm' || program === 'bun')))
    return assessRunner({ ...facts, part: { ...part, args: verb.rest } })
  if (verb.verb === 'exec') return finding('low', 'packages.run', `${program} runs a tool of the project`)
  if (verb.verb === 'create' || ((verb.verb === 'init' || verb.verb === 'innit') && words.length > 0))
    return rateRun(first === null ? null : creatorOf(first), program, true)
  if (/^(?:config|c|set)$/.test(verb.verb)) {
    const names = words.map(({ value }) => value ?? 'registry')
    const writes = verb.verb === 'set' || /^(?:set|delete|rm|edit|unset)$/.test(names[0] ?? '')
    if (writes) {
      return names.some((name) => DANGEROUS_SETTING.test(name)) || names[0] === 'edit'
        ? finding('high', 'packages.config', `${program} changes where packages come from or what runs them`, 'yes')
        : finding('medium', 'packages.config', `${program} changes its settings`, 'yes')
    }
  }
  if (verb.verb === 'workspace' || verb.verb === 'workspaces') {
    const script =
      verb.verb === 'workspace' ? (words[1]?.value ?? 'list') : (words[1]?.value ?? words[0]?.value ?? 'list')
    return /^(?:add|install|remove|up)$/.test(script)
      ? finding('medium', 'packages.install', `${program} installs packages`, 'yes')
      : rateScript(words[2]?.value ?? script, program)
  }
  const rated = rate(facts)
  // Any other word is a script of the project: `yarn deploy:prod`.
  if (rated.verb === null && rated.finding.rule !== 'packages.dry-run') {
    const script = rateScript(verb.verb, program)
    // npm itself runs no script by its bare name.
    return program === 'npm' && script.level === 'low'
      ? finding(
          'medium',
          'packages.unknown',
          'npm is told something that is not in the list of known commands',
          'unknown',
        )
      : script
  }
  return rated.finding
}

/** The package that `npm create x` runs: `create-x`, `@scope/create-x`, `@scope/create`. */
function creatorOf(name: string): string {
  const [, scope, rest] = /^(@[\w.-]{1,100})(?:\/(.{1,100}))?$/.exec(name) ?? []
  if (scope === undefined) return `create-${name}`
  return rest === undefined ? `${scope}/create` : `${scope}/create-${rest}`
}
