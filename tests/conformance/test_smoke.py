from queue_core import Task, TaskItem, TaskState


def test_what_goes_in_comes_out(queue):
    (task_id,) = queue.enqueue([Task(items=[TaskItem(text="A sentence.")])])
    (task,) = queue.dequeue()
    assert task.id == task_id
    assert task.items[0].text == "A sentence."
    assert task.state is TaskState.PROCESSING
