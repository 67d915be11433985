import { describe, expect, it } from 'vitest'
import type { RiskLevel } from '../report/level.ts'
import { rateName } from './rate-name.ts'

describe('a tool’s name', () => {
  it.each<[RiskLevel | null, string]>([
    ['none', 'list_deleted_files get_delete_history search_removed listDeployLogs get-refund-status describeInstances'],
    ['none', 'preview_delete validateDeploy slack_list_channels github.getIssue file_read'],
    ['none', 'get_password_policy list_secrets getTokenCount get_user_permissions'],
    ['medium', 'star_repository create_draft download_file run_tests markAsRead git_commit'],
    [
      'medium',
      'create_issue updatePage add_comment edit-file remove_label clear_cache push_branch upload_file move_card',
    ],
    ['medium', 'post_comment update_order edit_message create_payment_link manage_and_update'],
    [
      'high',
      'get_and_delete_all purgeAll delete_user deleteRow remove-member purge_queue terminate_instance db.dropIndex user_delete',
    ],
    ['high', 'send_email postMessage reply_to_thread broadcast create_message invite_user'],
    ['high', 'create_refund pay_invoice place_order executeTrade transfer_funds bookFlight'],
    ['high', 'merge_pull_request deploy restart_service rollback run_workflow create_release'],
    ['high', 'grant_access update_permissions create_api_key add_ssh_key change_password make_public create_webhook'],
    ['high', 'get_secret readPassword show_api_key'],
    [
      'critical',
      'delete_repository dropDatabase delete-bucket repo_delete delete_all_users wipe_everything purgeAllData',
    ],
    [null, 'frobnicate zorp manage_x can_delete_user isAdmin hasOwnProperty'],
  ])('is %s for each of %s', (level, names) => {
    const rated = names.split(' ').map((name) => [name, rateName(name)?.level ?? null])
    expect(rated).toEqual(names.split(' ').map((name) => [name, level]))
  })

  it('is rated by the last word of its object, before any preposition', () => {
    expect(rateName('delete_project_task')?.level).toBe('high')
    expect(rateName('delete_row_from_table')?.level).toBe('high')
    expect(rateName('delete_table_by_name')?.level).toBe('critical')
  })

  it('takes the object from the tool if the verb is an argument', () => {
    expect(rateName('delete', ['repository'])?.level).toBe('critical')
    expect(rateName('delete', ['label'])?.level).toBe('medium')
  })
})
