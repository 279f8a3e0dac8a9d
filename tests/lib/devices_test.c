/* Tests of the list of devices as users see it, with OpenCL or without. */
#include "arcl.h"

#include "greatest.h"

static arcl_context *context;

TEST the_host_comes_first(void) {
    arcl_device_info info;
    ASSERT(arcl_device_count(context) >= 1);
    ASSERT_EQ(ARCL_SUCCESS, arcl_device_get(context, 0, &info, NULL));
    ASSERT_STR_EQ("host", info.id);
    ASSERT_STR_EQ("host", info.kind);
    ASSERT_STR_EQ("", info.reason);
    ASSERT(info.name[0]);
    ASSERT_EQ(ARCL_DEVICE_READY, info.state);
    ASSERT(info.compute_units >= 1); /* of the machine, whatever the context uses */
    ASSERT(info.memory > 0);
    PASS();
}

TEST others_are_ready_or_say_why_not(void) {
    int count = arcl_device_count(context);
    for (int i = 1; i < count; i++) {
        arcl_device_info info;
        ASSERT_EQ(ARCL_SUCCESS, arcl_device_get(context, i, &info, NULL));
        ASSERT_EQ(info.state != ARCL_DEVICE_READY, info.reason[0] != 0);
        ASSERT_EQ(info.state != ARCL_DEVICE_ABSENT, strncmp(info.id, "cl:", 3) == 0);
        ASSERT(info.platform[0]);
    }
    ASSERT_EQ(count, arcl_device_count(context));
    if (count == 1) SKIPm("arcl was built without OpenCL");
    PASS();
}

TEST no_device_beyond_the_last(void) {
    arcl_device_info info;
    arcl_error error;
    ASSERT_EQ(ARCL_INVALID, arcl_device_get(context, -1, &info, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_device_get(context, arcl_device_count(context), &info, &error));
    ASSERT(strstr(error.message, "no device"));
    PASS();
}

SUITE(devices) {
    RUN_TEST(the_host_comes_first);
    RUN_TEST(others_are_ready_or_say_why_not);
    RUN_TEST(no_device_beyond_the_last);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    const arcl_options options = {.threads = 3};
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(&options, &context, NULL)) return EXIT_FAILURE;
    RUN_SUITE(devices);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
