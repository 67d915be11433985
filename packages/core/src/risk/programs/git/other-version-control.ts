import { byRows } from '../assessor/verb-table.ts'

/** Mercurial. */
export const assessHg = byRows({
  family: 'hg',
  shape: 'closed',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'status,st,log,history,diff,cat,annotate,blame,branch,branches,heads,tip,id,identify,summary,sum,paths,root,' +
        'manifest,files,locate,parents,tags,bookmarks,incoming,in,outgoing,out,grep,help,version,showconfig,verify,' +
        'resolve -l,phase,config,wip,show',
    ],
    [
      'low',
      'yes',
      'changes the local repository a little',
      'add,addremove,commit,ci,tag,bookmark,init,shelve,unshelve,forget,move,mv,rename,copy,cp',
    ],
    [
      'medium',
      'yes',
      'changes files or history of the local repository',
      'pull,update,up,checkout,co,merge,clone,import,graft,backout,resolve,revert,remove,rm,bisect,archive,export',
    ],
    ['medium', 'partly', 'sends commits to a server', 'push'],
    [
      'high',
      'no',
      'rewrites or throws away history',
      'strip,rollback,rebase,histedit,uncommit,prune,purge,evolve,amend,convert,transplant,debugstrip,absorb,fold,split',
    ],
    ['high', 'partly', 'opens the repository to the network', 'serve,email'],
  ],
  flags: [
    {
      verbs: 'update, up, checkout, co',
      flags: '-C --clean',
      level: 'high',
      back: 'no',
      says: 'throws changes away',
      reach: 'all',
    },
    { verbs: 'revert', flags: '-a --all', level: 'high', back: 'no', says: 'throws all changes away', reach: 'all' },
    { verbs: 'push', flags: '-f --force', level: 'high', back: 'partly', says: 'forces commits onto a server' },
    { verbs: 'commit, ci', flags: '--amend', level: 'medium', back: 'yes', says: 'rewrites the last commit' },
    { flags: '--config', level: 'high', back: 'unknown', says: 'is given a setting that can run a program' },
  ],
  valued:
    '-r --rev -m --message -l --limit -u --user -d --date -b --branch -B --bookmark -c --change -T --template -I -X -p --port',
})

/** Subversion. */
export const assessSvn = byRows({
  family: 'svn',
  shape: 'closed',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'status,stat,st,log,diff,di,info,list,ls,cat,blame,praise,annotate,ann,help,propget,pget,pg,proplist,plist,pl,' +
        'mergeinfo,auth',
    ],
    ['low', 'yes', 'changes the working copy a little', 'add,cleanup,changelist,cl,resolve,resolved'],
    [
      'medium',
      'yes',
      'changes the working copy',
      'update,up,checkout,co,switch,sw,merge,revert,export,patch,propset,pset,ps,propdel,pdel,pd,propedit,relocate,upgrade',
    ],
    ['medium', 'partly', 'changes files', 'move,mv,rename,ren,copy,cp,mkdir,delete,del,remove,rm'],
    ['high', 'partly', 'changes the repository on the server', 'commit,ci,import,lock,unlock'],
  ],
  flags: [
    {
      verbs: 'revert',
      flags: '-R --recursive --depth',
      level: 'high',
      back: 'no',
      says: 'throws all changes away',
      reach: 'all',
    },
    {
      verbs: 'cleanup',
      flags: '--remove-unversioned --remove-ignored',
      level: 'high',
      back: 'no',
      says: 'deletes files that are not in the repository',
    },
    {
      flags: '--revprop --diff-cmd --editor-cmd --config-option',
      level: 'high',
      back: 'unknown',
      says: 'changes the past or runs another program',
    },
    {
      verbs: 'delete, del, remove, rm, mkdir, copy, cp, move, mv',
      flags: '-m --message',
      level: 'high',
      back: 'partly',
      says: 'changes the repository on the server',
    },
  ],
  valued:
    '-r --revision -c --change -m --message -F --file -l --limit --depth --set-depth --targets --changelist --cl -x --extensions',
})

/** Jujutsu: its operation log brings most things back. */
export const assessJj = byRows({
  family: 'jj',
  shape: 'closed',
  otherwise: 'medium',
  bare: ['none', 'shows the log'],
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'st,status,log,diff,show,evolog,obslog,files,file list,file show,op log,operation log,op show,op diff,interdiff,root,' +
        'version,help,config list,config get,config path,bookmark list,branch list,tag list,git remote list,workspace list,' +
        'workspace root,sparse list,file annotate',
    ],
    [
      'low',
      'yes',
      'changes the local repository a little',
      'new,commit,ci,describe,desc,edit,next,prev,bookmark create,bookmark set,bookmark move,bookmark track,bookmark,branch,track,file track,file untrack,git fetch,git init,init,workspace add,undo,op undo,redo,git export,git import',
    ],
    [
      'medium',
      'yes',
      'changes commits',
      'squash,split,absorb,duplicate,backout,revert,restore,resolve,fix,parallelize,simplify-parents,config set,config edit,git clone,git remote,unsquash,diffedit,sign,metaedit',
    ],
    ['medium', 'partly', 'sends commits to a server', 'git push'],
    [
      'high',
      'partly',
      'rewrites or drops commits',
      'abandon,rebase,op restore,operation restore,op abandon,operation abandon,bookmark delete,bookmark forget,util gc,workspace forget',
    ],
    ['high', 'unknown', 'runs a command', 'run,util exec'],
  ],
  flags: [
    {
      verbs: 'git push',
      flags: '--deleted --all',
      level: 'high',
      back: 'partly',
      says: 'deletes or moves many branches on a server',
      reach: 'many',
    },
    {
      flags: '--config --config-toml --config-file',
      level: 'high',
      back: 'unknown',
      says: 'is given a setting that can run a program',
    },
  ],
  valued:
    '-r --revision --revisions -m --message -n --limit -T --template -b --bookmark -R --repository --at-op --remote -d --destination -s --source -A --after -B --before --into --from --to -c --change',
})
