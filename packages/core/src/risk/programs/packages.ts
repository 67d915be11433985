import { type Assess, anyFlag, anyPrefix, anyWord, hasUnknown } from '../facts.ts'
import { finding } from '../finding.ts'
import { byVerb } from '../verb-levels.ts'

/** Names of scripts and targets that reach beyond the machine or throw things away. */
const RISKY_NAME =
  /(?:^|[-:_.])(?:deploy|publish|release|destroy|drop|reset|purge|wipe|nuke|prod|production|teardown|rollback|upload|migrate)(?:$|[-:_.])/

const FOREIGN = ['http://', 'https://', 'git+', 'git://', 'ssh://', 'file:', 'github:', 'git@']
const INDEX = [
  '--index-url',
  '--extra-index-url',
  '--registry',
  '-i',
  '--find-links',
  '-f',
  '--trusted-host',
  '--index',
]

const node = byVerb({
  family: 'packages',
  verbs: {
    none:
      'ls,list,view,info,show,search,outdated,why,help,help-search,root,prefix,bin,ping,whoami,explain,fund,' +
      'doctor,pkg get,config get,config list,audit,licenses,version --json,get,query,repo,docs,bugs,diff,' +
      'dist-tag ls,team ls,org ls,cache ls,cache verify,store path,store status',
    low:
      'test,t,tst,run,run-script,start,stop,restart,build,lint,dev,format,check,typecheck,exec,x,dlx,watch,' +
      'serve,preview,pack,coverage,compile,workspaces,workspace,create,rebuild,prune,dedupe,cache,cache clean,' +
      'store prune,nx,turbo,-r',
    medium:
      'install,i,in,ci,clean-install,add,update,up,upgrade,remove,rm,uninstall,un,unlink,link,ln,init,import,' +
      'version,pkg,patch,patch-commit,set,install-test,it,audit fix,approve-builds,self-update,env,use,login,' +
      'adduser,logout,completion,config,plugin,pm,link-workspace,autoremove,fetch,shrinkwrap,cit',
    high:
      'publish,deprecate,owner,access,token,team,org,dist-tag,hook,profile,config set,set-script,star,' +
      'config delete,config edit,stage,trust,undeprecate',
    critical: 'unpublish',
  },
  otherwise: 'low',
  raises: [
    {
      flags: ['--script-shell', '--unsafe-perm', '--allow-root', '--node-options'],
      level: 'high',
      text: 'runs under changed safety settings',
    },
  ],
})

export const assessNodePackages: Assess = (facts) => {
  const { part, verb } = facts
  if (verb.kind === 'none' && facts.program === 'yarn')
    return finding('medium', 'packages.install', 'yarn installs packages')
  if (verb.kind === 'verb') {
    const words = [verb.verb, ...verb.rest.map((word) => word.value ?? '')]
    const dry = words.some((word) => word === '--dry-run')
    if (
      words.slice(0, 2).some((word) => RISKY_NAME.test(word)) &&
      !dry &&
      verb.verb !== 'publish' &&
      verb.verb !== 'unpublish'
    ) {
      return finding(
        'high',
        'packages.script',
        'runs a project script whose name says it deploys, publishes or destroys',
        'unknown',
      )
    }
    if (
      /^(?:install|i|add|ci|update|create|dlx|exec|x)$/.test(verb.verb) &&
      (anyPrefix(part, ...FOREIGN) || anyFlag(part, '--registry'))
    ) {
      return finding('high', 'packages.foreign', 'installs or runs code from an address outside the registry')
    }
  }
  return node(facts)
}

const python = byVerb({
  family: 'packages',
  verbs: {
    none:
      'list,show,freeze,check,index,search,help,debug,inspect,config list,config get,config debug,tree,version,' +
      'python list,tool list,env list,env info',
    low: 'run,lock,build,cache,download,wheel,hash,venv,export,shell,format,test,check',
    medium:
      'install,uninstall,sync,add,remove,update,upgrade,init,new,pip,tool,python,ensurepath,inject,self,env,' +
      'compile,reinstall,upgrade-all,config',
    high: 'publish,config set,config unset,upload',
  },
  otherwise: 'medium',
})

export const assessPythonPackages: Assess = (facts) => {
  const { part } = facts
  if (anyPrefix(part, ...FOREIGN) || anyFlag(part, ...INDEX.filter((name) => name.startsWith('--')))) {
    return finding('high', 'packages.foreign', 'installs code from an address outside the usual index')
  }
  return python(facts)
}

export const assessCargo = byVerb({
  family: 'packages',
  verbs: {
    none:
      'search,tree,metadata,info,locate-project,pkgid,verify-project,version,help,read-manifest,show,list,' +
      'toolchain list,target list,component list',
    low:
      'build,b,check,c,test,t,run,r,bench,doc,d,fmt,clippy,fetch,package,clean,nextest,watch,audit,deny,expand,' +
      'llvm-cov,machete,miri,vendor,generate-lockfile,outdated',
    medium:
      'add,remove,rm,update,install,uninstall,init,new,fix,set-version,upgrade,default,toolchain,target,' +
      'component,self,override,sqlx',
    high: 'publish,login,logout,owner,release',
    critical: 'yank',
  },
  otherwise: 'medium',
})

const go = byVerb({
  family: 'packages',
  verbs: {
    none: 'version,env,list,doc,vet,help,mod graph,mod why,mod verify,tool',
    low: 'build,test,run,fmt,generate,clean,mod download,mod vendor,work',
    medium: 'get,install,mod,mod tidy,mod init,mod edit,fix',
    high: 'env -w,telemetry',
  },
  otherwise: 'medium',
  raises: [{ flags: ['-toolexec', '-exec', '-overlay'], level: 'high', text: 'runs another program on the way' }],
})

export const assessGo: Assess = (facts) => {
  const { verb } = facts
  if (verb.kind === 'verb' && verb.verb === 'run' && verb.rest.some((word) => word.value?.includes('@') === true)) {
    return finding('high', 'packages.foreign', 'downloads a program and runs it')
  }
  return go(facts)
}

export const assessSystemPackages = byVerb({
  family: 'packages',
  verbs: {
    none:
      'list,show,search,policy,depends,rdepends,info,deps,uses,leaves,outdated,doctor,config,desc,home,cat,' +
      'repolist,repoquery,provides,history list,check,check-update,help,changelog,moo,log,services list',
    low: 'update,download,clean,autoclean,makecache,fetch,source,cleanup,metalink',
    medium:
      'install,reinstall,upgrade,dist-upgrade,full-upgrade,safe-upgrade,add,tap,untap,link,unlink,pin,unpin,' +
      'services,bundle,build-dep,edit-sources,swap,downgrade,mark,uninstall,remove,rm,del,erase,group,module,' +
      'satisfy,fix',
    high: 'purge,autoremove,autopurge,distro-sync,upgrade-system',
  },
  otherwise: 'medium',
  dry: ['-s', '--simulate', '--just-print', '--no-act', '--assumeno', '-n'],
  raises: [
    {
      flags: [
        '--purge',
        '--force-yes',
        '--allow-unauthenticated',
        '--nogpgcheck',
        '--allow-remove-essential',
        '--force',
      ],
      level: 'high',
      text: 'forces or removes without the usual checks',
    },
  ],
})

const PUBLISHES = new Set(['install', 'deploy', 'publish', 'release', 'upload', 'destroy', 'uninstall'])

/** `make` and its like: the project's own recipes. */
export const assessMake: Assess = ({ part, program }) => {
  if (anyFlag(part, '-n', '--just-print', '--dry-run', '--recon') && !hasUnknown(part))
    return finding('none', 'build.dry-run', `${program} only prints`)
  if (
    part.args.some((word, at) => word.value === '-' && part.args[at - 1]?.value === '-f') ||
    anyPrefix(part, 'SHELL=', '--eval', '-E')
  ) {
    return finding('high', 'build.injection', `${program} is given recipes or a shell on the command line`, 'unknown')
  }
  if (part.args.some((word) => word.value !== null && !word.value.startsWith('-') && RISKY_NAME.test(word.value))) {
    return finding('high', 'build.script', 'runs a target whose name says it deploys, publishes or destroys', 'unknown')
  }
  if (anyWord(part, PUBLISHES)) return finding('medium', 'build.install', `${program} installs`)
  return finding('low', 'build.run', 'runs the project’s own code')
}

/** Formatters, linters, compilers and test runners: the project's own tools. */
export const assessDevTool: Assess = ({ part, program }) => {
  if (
    anyFlag(part, '--fix', '--write', '--in-place', '--apply', '--update') ||
    anyFlag(part, '--fix-dry-run', '--apply-unsafe', '--unsafe')
  ) {
    return finding('medium', 'build.rewrite', `${program} rewrites project files`)
  }
  return finding('low', 'build.run', 'runs the project’s own code')
}

/** Runners that fetch a package and run it. */
export const assessRunner: Assess = ({ part, program, hasInner }) => {
  const local =
    hasInner && !anyFlag(part, '-y', '--yes', '--from', '--package', '-p', '--spec') && !anyPrefix(part, ...FOREIGN)
  if (!local || part.args.some((word) => /^@?[\w./-]+@[\w.^~-]+$/.test(word.value ?? ''))) {
    return finding('high', 'packages.fetch-run', `${program} may download a package and run it at once`, 'unknown')
  }
  return finding('low', 'packages.run', `${program} runs a package`)
}
