import type { ProfileName } from '../severity/profiles.ts'

/** Verbs of English by profile. `+`joins the words of one verb; the first is the one that bends, `-push`and its like bend last. */
export const VERBS: Readonly<Record<ProfileName, string>> = {
  destroy: `delete lose erase wipe purge destroy nuke truncate obliterate shred expunge rm deprovision wipe+out blow+away blow+up
    get+rid+of tear+down mass-delete bulk-delete batch-delete hard-delete force-delete soft-delete annihilate zap trash decommission batch+delete
    bulk+delete mass+delete hard+delete force+delete permanently+delete delet vaporize incinerate eradicate demolish raze dispose+of do+away+with
    throw+away throw+out toss toss+out ditch chuck scrub scrub+out zero+out null+out nullify blank+out wipe+away
     unprovision de-provision dismantle rip+out gut torch burn+down drop+and+recreate pull+the+plug+on cull
    garbage-collect liquidate dissolve factory+reset factory-reset wipe+clean reimage re-image jailbreak mass-remove bulk-remove del`,
  drop: 'drop',
  remove: `remove clear clear+out clear+down clean+up clean+out prune discard empty empty+out flush strip scrap unlink evict kick kick+out uninstall
    cleanup eliminate detach unmount eject expel offboard delist deregister unregister retire sunset untag
       vacuum compact sweep`,
  format: 'format reformat repartition',
  overwrite: `overwrite clobber rewrite+history overwritting write+over save+over copy+over`,
  reset: 'reset flash reflash hard+reset hard-reset reinitialize reinitialise re-initialize reset+to',
  rollback: 'roll+back rollback restore revert undo back+out unwind roll-back',
  modify: `swap archive unarchive commit+the+transaction re-encrypt reassign mark expire update change modify edit rename move convert set adjust tweak bump recalculate anonymize
    anonymise pseudonymize redact backdate bulk+update mass+update bulk+edit bulk-update mass-update batch-update patch rewrite correct overwrite-in-place import load seed insert reindex resize scale
    raise lower increase decrease touch reconfigure switch point redirect affect impact fix re-point repoint reroute re-route route
    flip toggle relabel clean retag sanitize deduplicate dedupe discount mask encrypt decrypt normalize recompute backport upsert ingest sync
    resync synchronize shrink enlarge scale+up bump+up dial+up dial+down crank+up turn+up turn+down
    cordon rebalance reshard relocate rehome re-home hot-patch hotpatch hot-fix monkey-patch live-edit tune
    flag close+out reopen mutate renumber rekey stamp phase+out`,
  replace: 'replace swap+out substitute supplant',
  alter: 'alter',
  deploy: `deploy redeploy roll+out rollout go+live cut+over switch+traffic push+live push+to+prod push+to+production bring+live deploying-to ship+to+production
    shift+traffic blue-green put+live take+live set+live make+live release+to+production hot-deploy re-deploy switch+over cutover`,
  ship: 'ship launch',
  promote: 'promote',
  publish:
    'publish open-source make+public republish unpublish yank go+public make+available+to+everyone self-publish put+online',
  release: 'release cut tag+and+release',
  force:
    'push+over force-push force+push rewrite+git+history rewrite+the+git+history rewrite+the+history force-overwrite push+-f push+--force',
  push: 'push',
  merge:
    'merge rebase squash amend cherry-pick cherrypick fast-forward squash-merge squash+and+merge land force-merge merge+and+push auto-merge fast+forward',
  send: `send resend send+out send+off forward dispatch blast mail+out ship+off fire+off relay transmit deliver pass+along fan+out`,
  write: `email e-mail mail message notify dm contact call+up invite ping alert inform page phone call  
      spam reach+out+to write+to get+in+touch+with reply+to+all reply-all respond+to+all answer+all cc bcc remind`,
  post: 'post comment reply upload cross-post crosspost',
  proclaim:
    'tweet retweet text sms cold-email mass-mail mass-email broadcast announce proclaim livestream go+public+with press-release',
  share: 'hand+over disclose share leak expose give+away turn+over unshare surrender divulge show+publicly externalize',
  export: 'copy export dump replicate mirror',
  reveal: `print paste log echo display output commit hardcode hard-code embed write+down cat stage attach include 
    stream reveal tell record save store inline show check+in sync+up beam`,
  pay: `pay refund purchase buy wire reimburse remit donate invest prepay pay+out pay+off pre-pay compensate payout repay bid disburse
    write+off overpay top+up cash+out wire-transfer place+an+order+for place+the+order+for place+an+order place+the+order`,
  charge: `book reprice re-price dispute chargeback charge+back renew charge bill invoice order sell trade debit credit place subscribe re-order reorder rebook lease rent hire
    sign+up sign+you+up sign+us+up stake bridge mint`,
  provision: 'provision spin+up stand+up bring+up allocate reserve scale+out',
  transfer: 'transfer withdraw deposit shift',
  grant:
    'grant take+ownership+of elevate chmod chown whitelist allowlist white-list allow-list escalate+privileges bestow impersonate deputize sudo+as',
  revoke: `revoke de-authorize deauthorize unauthorize invalidate rescind cut+off demote log+out sign+out force-logout force+logout`,
  rotate: 'rotate regenerate escalate reissue re-issue roll cycle',
  open: 'turn+on switch+on unlock give make add assign open open+up allow enable authorize authorise permit unblock hand unrestrict relax loosen appoint delegate',
  disable: `disable lock block turn+off switch+off unsubscribe mute snooze
         opt+out unenroll weaken     
     throttle shut+off opt-out lift suppress`,
  cutoff: `disconnect unplug silence suspend deactivate ban disarm circumvent bypass sidestep evade de-activate freeze quarantine blacklist blocklist
    shadow-ban lock+out waive short-circuit disengage override sabotage cripple defeat cut+power+to shut+out jam`,
  cancel: 'cancel call+off void unbook annul',
  close: 'close close+down shut shutter wind+up',
  migrate: 'downgrade migrate backfill cut-over upgrade re-platform replatform lift-and-shift lift+and+shift rehost',
  stop: `spin+down wind+down shut+down take+down take+offline terminate power+off power+down halt scale+down scale+in scale+back fail+over failover drain kill stop shutdown bring+down
    scale+to+zero force-stop force-quit kill+off hibernate knock+offline interrupt crash abort pause stop+and+remove force+stop sigkill power-off`,
  bounce: 'restart reboot bounce recycle power-cycle power+cycle hard-reboot relaunch cold-boot',
  install: 'install reinstall sideload',
  execute: 'sudo',
  submit: 'approve reject submit file lodge countersign endorse',
  sign: 'sign accept agree+to e-sign',
}

/** Nouns of action: `proceed with the deletion of …`. */
export const NOUNS: Readonly<Partial<Record<ProfileName, string>>> = {
  destroy: `eliminación borrado suppression löschung exclusão remoção deletion deletions purge wipe erasure truncation removal teardown tear-down decommissioning cleanup
    destruction truncate delete drop clean-up wipeout`,
  overwrite: 'overwrite replacement',
  reset: 'reset hard+reset factory+reset',
  rollback: 'rollback restore reversion revert roll-back restoration',
  send: 'blast mailing newsletter campaign broadcast mass+mailing email+blast send',
  deploy:
    'despliegue déploiement implantação bereitstellung deployment deploy rollout go-live cutover cut-over redeploy switchover launch production+push',
  publish: 'publication unpublish',
  force: 'push+over force-push force+push history+rewrite forced+push',
  push: 'push',
  merge: 'merge rebase squash cherry-pick',
  pay: 'payment refund purchase payout reimbursement checkout transfer wire wire+transfer charge order donation withdrawal',
  migrate: 'migración migração migration migrations backfill upgrade downgrade data+move',
  bounce: 'restart reboot power+cycle rolling+restart',
  stop: 'shutdown failover termination shut-down drain stop',
  cutoff: `disconnect unplug silence suspend deactivate ban disarm circumvent bypass sidestep evade de-activate freeze quarantine blacklist blocklist
    shadow-ban lock+out waive short-circuit disengage override sabotage cripple defeat cut+power+to shut+out jam`,
  cancel: 'cancellation cancelation',
  modify: 'update bulk+update mass+update rename swap',
  release: 'release',
  revoke: 'revocation',
  rotate: 'rotation',
  disable: 'suspension deactivation',
  grant: 'grant',
}

/** Verbs that make, tell or look: what they are followed by is described, not done. */
export const MAKING = `wire+up hook+up set+up iterate parse group sort map filter collect gather extract tail download clone checkout
  sample measure evaluate assess identify detect locate spot reproduce replicate observe visualize plot render sketch calculate compute
  annotate highlight cite reference reuse wrap split join rework restructure reorganize extend simplify handle support
  resolve solve return throw catch await cache memoize type work think+about come+back report proofread
  peek browse visit navigate examine study consult interview brainstorm discuss continue+to+read diff cross-check sanity-check tidy
  stash revisit wait+for hold+on stay begin+with let give+you send+you write+up jot note+down sum+up wrap+up follow+up narrow+down write create implement build generate draft design define document explain describe discuss check verify
  test review see read look find search learn ask prepare mock simulate refactor configure investigate inspect
  think consider know understand list summarize summarise compare analyze analyse debug trace count
  suggest recommend note mention outline demonstrate walk help teach clarify elaborate answer respond confirm wait
  double-check make+sure ensure scan query fetch get view grep research explore monitor watch keep avoid
  continue+reading go+over go+into go+deeper go+through dig propose estimate figure+out try+out lint compile validate
  provide dive expand continue+explaining remind+you repeat be take+a+look hear rephrase translate
  profile benchmark cover address start+with focus hold+off stick ignore leave stop+here rely assume treat quote plan+out
  move+on point+out back+up make+a+backup make+a+copy take+a+backup take+a+snapshot snapshot bookmark
  cast skip grant+that stub stub+out fake mock+out spy scaffold prototype sketch+out parametrize parameterize instrument type-check typecheck
  transpile minify bundle prettify memoise hoist destructure infer deduce derive reason reflect contemplate ponder weigh skim digest absorb recap
  reiterate restate paraphrase condense shorten lengthen reword polish proof spell-check illustrate exemplify emphasize stress argue assert claim
  believe expect predict forecast anticipate wonder worry glance peruse enumerate tabulate chart graph diagram model visualise score rank rate grade
  time clock probe poll sniff audit vet cross-reference correlate bisect blame isolate pinpoint diagnose troubleshoot introduce greet thank
  apologize apologise congratulate welcome acknowledge concede admit loop iterate+over traverse recurse branch+off fork bootstrap pin remember hope guess bet say mean speak talk show+you tell+you keep+you update+you notify+you inform+you let+you ping+you message+you`

/** Verbs whose object says what is done. */
export const RUNNING = `pull+the+trigger+on hit+the+button+on flip+the+switch+on press+the+button+on tear put pipe take bring turn switch-over fazer hacer faire hago faço fais run execute apply invoke issue trigger use perform commence undertake start begin initiate kick+off carry+out do process
  proceed+with go+ahead+with continue+with move+forward+with conduct schedule complete finish queue+up finalize connect ssh log+in log+into go+for go+with rerun re-run fire kick re-apply reapply enact implement+on`
