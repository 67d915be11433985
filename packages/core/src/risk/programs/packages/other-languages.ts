import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'
import { FOREIGN, fromElsewhere } from './project-tools.ts'

const cargo = byRows({
  family: 'packages',
  shape: 'closed',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'search,tree,metadata,info,locate-project,pkgid,verify-project,version,help,read-manifest,show,list,toolchain list,target list,' +
        'component list,which,doc --open,show active-toolchain,check-update,override list,outdated,bloat,geiger,license,deny list,rustc --print',
    ],
    [
      'low',
      'partly',
      'runs the project’s own code',
      'build,b,check,c,test,t,run,r,bench,doc,d,rustdoc,clippy,fetch,package,clean,nextest,nextest run,watch,audit,deny,deny check,expand,' +
        'llvm-cov,machete,miri,vendor,generate-lockfile,tarpaulin,udeps,hack,make,xtask,criterion,flamegraph,insta,insta test,semver-checks,msrv,rustc,report,tauri,leptos,shuttle run,zigbuild,cross,component,asm,about,careful,fuzz,mutants,doctor,completions,man',
    ],
    ['medium', 'yes', 'rewrites project files', 'fmt,fix,insta accept,insta review,sort'],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'add,remove,rm,update,install,uninstall,init,new,set-version,upgrade,default,toolchain install,toolchain uninstall,toolchain,target add,target remove,target,component add,component remove,self update,self,override,override set,sqlx,binstall,generate,login,logout,edit,run-script,install-update',
    ],
    [
      'high',
      'no',
      'publishes a package for everybody',
      'publish,release,smart-release,workspaces publish,shuttle deploy,lambda deploy',
    ],
    ['high', 'partly', 'changes a package that others use', 'owner,yank,dist'],
    ['high', 'no', 'removes the whole tool chain', 'self uninstall'],
  ],
  flags: [
    { verbs: 'fmt', flags: '--check', level: 'low', back: 'yes', says: 'only checks' },
    { verbs: 'clippy, check', flags: '--fix', level: 'medium', back: 'yes', says: 'rewrites project files' },
    {
      verbs: 'install, add',
      flags: '--git --index --registry',
      level: 'high',
      back: 'partly',
      says: 'takes code from an address outside the usual registry',
    },
    { flags: '--config', level: 'high', back: 'unknown', says: 'is given a setting that can run a program' },
  ],
  valued:
    '-p --package --bin --test --bench --example --features --target --profile --manifest-path -j --jobs --vers --version --color',
})

/** cargo and rustup; `+nightly` only picks the tool chain. */
export const assessCargo: Assess = (facts) => {
  const { part } = facts
  return cargo({
    ...facts,
    part: { ...part, args: part.args.filter(({ value }, at) => at > 0 || value?.startsWith('+') !== true) },
  })
}

const go = byRows({
  family: 'packages',
  otherwise: 'medium',
  oneDash: true,
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'version,env,list,doc,help,mod graph,mod why,mod verify,tool,bug,telemetry,work sync --help',
    ],
    [
      'low',
      'partly',
      'runs the project’s own code',
      'build,test,run,vet,generate,tool,mod download,mod vendor,work,work sync,work use,work init',
    ],
    ['low', 'yes', 'changes what can be made again', 'clean,fmt'],
    ['medium', 'yes', 'installs or changes packages', 'get,install,mod,mod tidy,mod init,mod edit,fix'],
  ],
  flags: [
    {
      flags: '-toolexec -exec -overlay -vettool',
      level: 'high',
      back: 'unknown',
      says: 'runs another program on the way',
    },
    { verbs: 'env', flags: '-w -u', level: 'high', back: 'yes', says: 'changes settings of every build' },
  ],
  valued: '-o -p -run -bench -tags -ldflags -gcflags -mod -count -timeout -coverprofile -C -cpuprofile -memprofile',
})

export const assessGo: Assess = (facts) => {
  const { verb } = facts
  const addressed = verb.kind === 'verb' && verb.rest.some(({ value }) => /^[\w.-]+\.[a-z]+\/.*@/.test(value ?? ''))
  if (verb.kind === 'verb' && verb.verb === 'run' && addressed)
    return finding('high', 'packages.fetch-run', 'go downloads a program and runs it', 'unknown')
  return go(facts)
}

export const assessGem: Assess = (facts) => {
  const foreign = anyFlag(facts.part, '--source', '-s', '--clear-sources') || anyPrefix(facts.part, ...FOREIGN)
  return foreign && facts.verb.kind === 'verb' && /^(?:install|i|update|sources)$/.test(facts.verb.verb)
    ? fromElsewhere('gem')
    : gem(facts)
}

const gem = byRows({
  family: 'packages',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'list,search,info,contents,environment,env,which,outdated,dependency,specification,help,check,stale,query,sources,rdoc,lock,unpack --help',
    ],
    ['low', 'yes', 'makes a package', 'build,fetch,generate_index,unpack'],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'install,i,update,uninstall,pristine,cleanup,signin,signout,setup,mirror',
    ],
    ['high', 'no', 'publishes a package for everybody', 'push'],
    ['high', 'partly', 'changes a package that others use', 'yank,owner'],
  ],
  flags: [
    {
      verbs: 'sources',
      flags: '-a --add -r --remove',
      level: 'high',
      back: 'yes',
      says: 'changes where packages come from',
    },
  ],
  valued: '-v --version -i --install-dir',
})

export const assessBundle: Assess = (facts) =>
  facts.part.args.some(({ value }) => /^(?:mirror\.|ssl_verify|BUNDLE_MIRROR)/.test(value ?? ''))
    ? finding('high', 'packages.config', 'bundle changes where packages come from', 'yes')
    : bundle(facts)

const bundle = byRows({
  family: 'packages',
  otherwise: 'medium',
  bare: ['medium', 'installs packages'],
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'check,list,show,info,outdated,platform,viz,doctor,config list,config get,env,help,version,licenses,fund,which',
    ],
    ['low', 'partly', 'runs the project’s own code', 'exec,open,console,audit,init,binstubs,gem'],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'install,update,add,remove,lock,cache,package,pack,clean,config,config set,config unset,plugin,inject',
    ],
  ],
})

export const assessComposer: Assess = (facts) => {
  const { part, verb } = facts
  if (
    verb.kind === 'verb' &&
    verb.verb === 'config' &&
    part.args.some(({ value }) =>
      /^(?:repositor|repo|secure-http|disable-tls|allow-plugins|http-basic|github-oauth)/.test(value ?? ''),
    )
  )
    return finding('high', 'packages.config', 'composer changes where packages come from or its credentials', 'yes')
  return composer(facts)
}

const composer = byRows({
  family: 'packages',
  otherwise: 'low',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'show,info,search,outdated,validate,status,depends,why,why-not,prohibits,licenses,diagnose,about,audit,check-platform-reqs,suggests,fund,help,list,home,browse',
    ],
    [
      'low',
      'partly',
      'runs the project’s own code',
      'run-script,run,exec,test,dump-autoload,dumpautoload,clear-cache,clearcache,init,archive',
    ],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'install,i,update,u,upgrade,require,r,remove,rm,create-project,self-update,selfupdate,global,global require,config,bump,reinstall',
    ],
    ['high', 'no', 'publishes or deploys', 'deploy,publish'],
  ],
})

/** .NET. */
export const assessDotnet = byRows({
  family: 'packages',
  otherwise: 'low',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'list,search,help,sdk check,nuget locals list,nuget list,tool list,tool search,workload list,workload search,ef dbcontext list,ef migrations list,nuget list source,package search',
    ],
    [
      'low',
      'partly',
      'runs the project’s own code',
      'build,test,run,pack,msbuild,watch,clean,publish,vstest,exec,fsi,build-server,sln,sln list',
    ],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'restore,add,add package,add reference,remove,remove package,new,tool,tool install,tool update,tool uninstall,tool restore,workload,workload install,dev-certs,user-secrets,ef,ef migrations,ef migrations add,ef database update,sln add,nuget locals,nuget config,nuget,package add',
    ],
    ['medium', 'yes', 'rewrites project files', 'format'],
    ['high', 'no', 'publishes a package for everybody', 'nuget push'],
    ['high', 'no', 'takes a package away from all who depend on it', 'nuget delete'],
    [
      'high',
      'yes',
      'changes where packages come from',
      'nuget add,nuget add source,nuget update source,nuget remove source,nuget trust',
    ],
    ['critical', 'no', 'drops a database', 'ef database drop', 'all'],
  ],
  flags: [
    { verbs: 'format', flags: '--verify-no-changes', level: 'low', back: 'yes', says: 'only checks' },
    { verbs: 'user-secrets', flags: '--list', level: 'high', back: 'no', says: 'prints secrets' },
  ],
})

export const assessNuget = byRows({
  family: 'packages',
  otherwise: 'medium',
  rows: [
    ['none', 'yes', 'only reads', 'list,search,help,locals,sources list,verify'],
    ['medium', 'yes', 'installs or changes packages', 'install,restore,update,pack,spec,init,add'],
    ['high', 'no', 'publishes or takes away a package', 'push,delete'],
    ['high', 'yes', 'changes where packages come from', 'sources,setapikey,sources add'],
  ],
})
