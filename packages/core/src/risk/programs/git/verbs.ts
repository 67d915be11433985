import type { VerbRow } from '../assessor/verb-table.ts'

const READS =
  'status,log,diff,show,blame,annotate,shortlog,describe,rev-parse,rev-list,ls-files,ls-tree,ls-remote,cat-file,' +
  'name-rev,merge-base,for-each-ref,show-ref,show-branch,grep,help,version,whatchanged,range-diff,cherry,' +
  'count-objects,diff-tree,diff-index,diff-files,verify-commit,verify-tag,verify-pack,check-ignore,check-attr,' +
  'check-mailmap,check-ref-format,var,fsck,stash list,stash show,remote show,remote get-url,worktree list,' +
  'submodule status,submodule summary,bisect log,bisect view,bisect visualize,bisect terms,reflog show,reflog list,' +
  'reflog exists,notes show,notes list,lfs ls-files,lfs status,lfs env,lfs logs,lfs version,bundle verify,' +
  'bundle list-heads,sparse-checkout list,request-pull,fast-export,merge-tree,stripspace,interpret-trailers,column,' +
  'get-tar-commit-id,patch-id,mailinfo,fmt-merge-msg,show-index,ls-url,bugreport,diagnose,credential-cache exit,' +
  'replace --list,tag --list,branch --list,rerere status,rerere diff,maintenance status,cat,lfs locks,unpack-file'

const SMALL =
  'add,stage,fetch,switch,stash,stash push,stash save,stash pop,stash apply,stash create,stash store,stash branch,' +
  'init,worktree add,worktree prune,worktree lock,worktree unlock,worktree repair,notes,notes add,notes append,' +
  'notes copy,notes merge,bisect,bisect start,bisect good,bisect bad,bisect skip,bisect reset,bisect new,bisect old,' +
  'mv,maintenance,sparse-checkout,lfs fetch,lfs track,lfs untrack,lfs checkout,lfs install,lfs pull,rerere,' +
  'remote update,pack-refs,write-tree,commit-tree,mktree,index-pack,pack-objects,update-server-info,unpack-objects,' +
  'commit-graph,multi-pack-index,subtree split,checkout,flow feature start,submodule init,submodule absorbgitdirs'

const CHANGES =
  'pull,merge,cherry-pick,revert,clone,submodule,submodule update,submodule add,submodule sync,submodule set-url,' +
  'submodule set-branch,apply,am,restore,rm,remote add,remote set-url,remote remove,remote rm,remote rename,' +
  'remote set-head,remote set-branches,remote prune,archive,bundle,bundle create,bundle unbundle,format-patch,gc,' +
  'repack,subtree,subtree add,subtree pull,subtree merge,mergetool,difftool,update-index,read-tree,merge-file,' +
  'checkout-index,worktree remove,worktree move,notes remove,notes prune,notes edit,quiltimport,svn clone,svn fetch,' +
  'svn init,svn info,svn log,p4 clone,p4 sync,lfs lock,lfs unlock,flow,gui,gitk,citool,merge-one-file,prune-packed'

/** git's verbs; what a flag makes of them is said in `git.ts`. */
export const GIT_ROWS: readonly VerbRow[] = [
  ['none', 'yes', 'only reads', READS],
  ['low', 'yes', 'changes the local repository a little', SMALL],
  ['low', 'yes', 'records a commit', 'commit'],
  ['low', 'yes', 'changes the branch, the index or a name', 'reset,tag,branch,remote,reflog,hash-object'],
  ['medium', 'yes', 'changes files or history of the local repository', CHANGES],
  ['medium', 'partly', 'sends commits to a server', 'push,lfs push,subtree push'],
  ['high', 'partly', 'rewrites history that others may have', 'rebase,filter-branch,filter-repo,replace,lfs migrate'],
  ['high', 'no', 'deletes files that are in no commit', 'clean', 'several'],
  ['high', 'partly', 'throws away kept changes', 'stash drop,stash clear'],
  ['high', 'partly', 'moves or deletes a branch by force', 'update-ref,symbolic-ref,reflog delete'],
  ['high', 'unknown', 'runs a command again and again', 'bisect run,submodule foreach,for-each-repo', 'several'],
  ['high', 'partly', 'takes a submodule’s files away', 'submodule deinit'],
  ['high', 'no', 'drops what could still be recovered', 'prune,lfs prune'],
  ['high', 'no', 'sends mail', 'send-email,imap-send'],
  ['high', 'partly', 'opens the repository to the network', 'daemon,instaweb,http-backend,shell'],
  ['high', 'no', 'commits to another server', 'svn dcommit,svn branch,svn tag,p4 submit,cvsexportcommit'],
  [
    'high',
    'no',
    'hands out or changes credentials',
    'credential,credential-store,credential-cache,credential-osxkeychain',
  ],
  ['high', 'partly', 'writes history by itself', 'fast-import,svn rebase,p4 rebase,svn reset'],
  ['critical', 'no', 'drops the last way back to lost commits', 'reflog expire', 'all'],
]
